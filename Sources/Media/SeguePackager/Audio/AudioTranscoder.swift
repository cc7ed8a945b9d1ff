internal import SegueBase
internal import SegueFFmpeg

/// An encoder for arbitrary frame ranges of a transcoded track, with reproducible output.
///
/// All frames lie on one grid over the decoded stream. Decoding and encoding start early enough before the first
/// requested frame to make their state independent of the starting point.
struct AudioTranscoder {
    /// The number of frames encoded and discarded before the first requested one.
    ///
    /// libavcodec's encoder converges to identical bytes after 16 frames on average, up to 40 in loud music, and 87 in
    /// one observed case. The error of these few frames is within that of the others.
    static let preroll: Int64 = 48
    /// The duration decoded and discarded before the first encoded sample, in seconds.
    private static let warmUp: Int64 = 1
    /// The fixed quality as libavcodec's `-q:a`; about 160 kbit/s for stereo music.
    private static let quality = 1.0

    let index: StreamIndex
    let map: AudioMap
    let reader: PacketReader
    /// The number of frames encoded and discarded before the first requested one.
    var preroll = AudioTranscoder.preroll

    /// Encodes frames of the grid.
    func frames(_ range: Range<Int>) throws -> [[UInt8]] {
        guard !range.isEmpty else { return [] }
        let size = Int64(AudioMap.frame)
        let firstChunk = max(0, Int64(range.lowerBound) - preroll)
        // The encoder has a lookahead of one frame.
        let chunks = firstChunk..<Int64(range.upperBound) + 1
        let samples = try AudioCutter(index: index, map: map, reader: reader, warmUp: AudioTranscoder.warmUp)
            .samples(chunks.lowerBound * size..<chunks.upperBound * size)
        let encoder = try AudioTranscoder.open(map)
        var result = [[UInt8]](repeating: [], count: range.count)
        let keep = { (packet: Packet) in
            guard let pts = packet.pts else { return }
            let number = Int((pts + size).quotientRoundedDown(by: size))
            if range.contains(number) { result[number - range.lowerBound] = packet.bytes }
        }
        for chunk in chunks {
            let frame = try Frame(
                sampleFormat: "fltp",
                sampleRate: map.outputRate,
                layout: encoder.layout,
                samples: Int(size)
            )
            let offset = Int((chunk - chunks.lowerBound) * size)
            for channel in 0..<map.outputChannels {
                guard let plane = frame.plane(channel) else { continue }
                plane.withMemoryRebound(to: Float.self, capacity: Int(size)) { target in
                    samples[channel].withUnsafeBufferPointer { source in
                        guard let base = source.baseAddress else { return }
                        target.update(from: base + offset, count: Int(size))
                    }
                }
            }
            frame.pts = chunk * size
            try encoder.encode(frame, keep)
        }
        try encoder.encode(nil, keep)
        return result
    }

    /// Opens the encoder with fixed settings.
    static func open(_ map: AudioMap) throws(MediaError) -> AudioEncoder {
        try AudioEncoder(
            named: "aac",
            sampleRate: map.outputRate,
            layout: ChannelLayout(channels: map.outputChannels),
            sampleFormat: "fltp",
            quality: .fixed(quality),
            // Without the library's name in every 256th frame, frames do not depend on where encoding began.
            options: ["aac_pns": "0", "flags": "+bitexact"]
        )
    }
}

extension Int64 {
    /// The quotient, rounded toward negative infinity.
    func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

/// A decoder for any section of a transcoded track.
struct AudioCutter {
    let index: StreamIndex
    let map: AudioMap
    let reader: PacketReader
    let warmUp: Int64

    /// Samples of the output grid by channel; silence outside the content.
    func samples(_ range: Range<Int64>) throws -> [[Float]] {
        var output = SampleStore(range: range, channels: map.outputChannels)
        let content = max(0, range.lowerBound)..<max(0, min(map.outputCount, range.upperBound))
        guard !content.isEmpty else { return output.channels }
        for (place, span) in map.spans.enumerated() {
            let covered = span.outputStart..<span.outputStart + map.outputCount(of: span)
            let part = covered.clamped(to: content)
            guard !part.isEmpty else { continue }
            try cut(part, of: span, place: place, into: &output)
        }
        return output.channels
    }

    private func cut(_ part: Range<Int64>, of span: AudioMap.Span, place: Int, into output: inout SampleStore) throws {
        let blocks =
            span.firstBlock..<(place + 1 < map.spans.count ? map.spans[place + 1].firstBlock : map.blocks.count)
        guard !blocks.isEmpty else { return }
        var conversion = try SpanConversion(span: span, map: map)
        let from = conversion.inputStart(for: part.lowerBound)
        let until = conversion.inputEnd(for: part.upperBound)
        let firstBlock = lastBlock(in: blocks, startingAtOrBefore: from)
        let lastNeeded = lastBlock(in: blocks, startingAtOrBefore: until)
        let warm = max(0, map.blocks[firstBlock].start - warmUp * Int64(span.rate))
        var decodeFrom = map.blocks[lastBlock(in: blocks, startingAtOrBefore: warm)].packet
        decodeFrom = max(0, min(decodeFrom, map.blocks[firstBlock].packet - 4))
        let packets = decodeFrom..<map.blocks[lastNeeded].packet + 1
        let decoder = try Decoder(stream: index.info, file: reader.file)
        try reader.begin([index.info.index: packets])
        var tally = BlockTally(map: map, blocks: blocks)
        let isLast = packets.upperBound >= index.packets.count || lastNeeded + 1 >= map.blocks.count
        while let (_, number, packet) = try reader.next() {
            index.prepare(packet, number: number, isFirst: number == packets.lowerBound && number > 0)
            tally.begin(packet: number)
            var frames: [Frame] = []
            do {
                try decoder.decode(packet, opaque: Int64(number)) { frames.append($0.taken()) }
            } catch let error as MediaError {
                if error.isCancelled { throw error }
            }
            for (frame, start) in tally.place(frames) {
                try conversion.feed(frame, at: start, wanted: part, into: &output)
            }
        }
        if isLast {
            tally.begin(packet: index.packets.count)
            var frames: [Frame] = []
            try? decoder.decode(nil) { frames.append($0.taken()) }
            for (frame, start) in tally.placeDrained(frames) {
                try conversion.feed(frame, at: start, wanted: part, into: &output)
            }
        }
        try conversion.finish(wanted: part, into: &output)
    }

    private func lastBlock(in blocks: Range<Int>, startingAtOrBefore sample: Int64) -> Int {
        var (low, high) = (blocks.lowerBound, blocks.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if map.blocks[middle].start <= sample { low = middle + 1 } else { high = middle }
        }
        return max(blocks.lowerBound, low - 1)
    }
}

/// Assigns decoded frames the positions counted by the complete decode.
private struct BlockTally {
    let map: AudioMap
    let blocks: Range<Int>
    private var packet = 0
    private var drainedFrom: Int64?

    init(map: AudioMap, blocks: Range<Int>) {
        self.map = map
        self.blocks = blocks
    }

    mutating func begin(packet: Int) { self.packet = packet }

    /// Places the current packet's frames.
    ///
    /// A decoder that has just started may return fewer samples than in the complete decode; they are the last ones.
    mutating func place(_ frames: [Frame]) -> [(Frame, Int64)] {
        var (low, high) = (blocks.lowerBound, blocks.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if map.blocks[middle].packet < packet { low = middle + 1 } else { high = middle }
        }
        guard low < blocks.upperBound, map.blocks[low].packet == packet else { return [] }
        let block = map.blocks[low]
        let count = frames.reduce(0) { $0 + Int64($1.sampleCount) }
        drainedFrom = block.start + count
        // The last packet's count includes the drained samples.
        let isLast = low == map.blocks.count - 1
        var start = isLast && count <= Int64(block.count) ? block.start : block.start + Int64(block.count) - count
        return frames.map { frame in
            defer { start += Int64(frame.sampleCount) }
            return (frame, start)
        }
    }

    /// Places the frames drained after the last packet.
    mutating func placeDrained(_ frames: [Frame]) -> [(Frame, Int64)] {
        guard var start = drainedFrom else { return [] }
        return frames.map { frame in
            defer { start += Int64(frame.sampleCount) }
            return (frame, start)
        }
    }
}
