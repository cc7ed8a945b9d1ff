internal import SegueFFmpeg

extension KeptIndex {
    /// Encodes an audio map.
    static func bytes(of map: AudioMap) -> [UInt8] {
        var writer = KeptWriter()
        writer.put(map.blocks) {
            $0.put($1.packet)
            $0.put($1.start)
            $0.put($1.count)
        }
        writer.put(map.spans) {
            $0.put($1.rate)
            $0.put($1.layout.name)
            $0.put($1.format)
            $0.put($1.firstBlock)
            $0.put($1.inputCount)
            $0.put($1.outputStart)
        }
        writer.put(map.anchors) {
            $0.put($1.sample)
            $0.put($1.time)
            $0.put($1.startsEpoch)
        }
        writer.put(map.outputRate)
        writer.put(map.outputChannels)
        writer.put(map.outputCount)
        return writer.sealed()
    }

    /// Decodes an audio map; nil if it is damaged or does not match the stream.
    static func audioMap(_ bytes: [UInt8], of index: StreamIndex, limits: AudioLimits) -> AudioMap? {
        try? read(bytes) { reader throws(KeptReader.Damage) in
            var map = AudioMap()
            map.limits = limits
            map.blocks = try reader.list { reader throws(KeptReader.Damage) in
                let packet = try reader.number(Int.self)
                guard index.packets.indices.contains(packet) else { throw KeptReader.Damage() }
                return AudioMap.Block(packet: packet, start: try reader.number(), count: try reader.number())
            }
            let blocks = map.blocks.count
            map.spans = try reader.list { reader throws(KeptReader.Damage) in
                let rate = try reader.number(Int.self)
                guard rate > 0, let layout = ChannelLayout(named: try reader.text()) else {
                    throw KeptReader.Damage()
                }
                let format = try reader.text()
                let first = try reader.number(Int.self)
                guard (0...blocks).contains(first) else { throw KeptReader.Damage() }
                var span = AudioMap.Span(rate: rate, layout: layout, format: format, firstBlock: first)
                span.inputCount = try reader.number()
                span.outputStart = try reader.number()
                return span
            }
            map.anchors = try reader.list { reader throws(KeptReader.Damage) in
                AudioMap.Anchor(
                    sample: try reader.number(),
                    time: try reader.number(),
                    startsEpoch: try reader.flag()
                )
            }
            map.outputRate = try reader.number()
            map.outputChannels = try reader.number()
            map.outputCount = try reader.number()
            guard map.outputRate >= 0, map.outputCount >= 0 else { throw KeptReader.Damage() }
            return map
        }
    }
}
