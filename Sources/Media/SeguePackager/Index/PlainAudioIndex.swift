internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// The index of a file with uncompressed audio only, computed from the position of its first sample.
enum PlainAudioIndex {
    /// libav's names of containers whose samples are contiguous.
    private static let containers: Set<String> = ["aiff", "au", "caf", "w64", "wav"]
    /// The samples per packet; a segment reads whole packets.
    private static let packet: Int64 = 16384

    /// Computes the index from a newly opened input; nil for other files.
    static func run(_ input: MediaInput, path: String, cancellation: Cancellation) throws -> FileIndex? {
        guard reads(input), let info = input.streams.first else { return nil }
        let (first, second) = (Packet(), Packet())
        guard try input.read(into: first), try input.read(into: second), first.pts ?? 0 == 0, first.position > 0,
            first.duration > 0, first.size > 0, Int64(first.size) % first.duration == 0,
            second.position == first.position + Int64(first.size)
        else { return nil }
        let size = Int64(first.size) / first.duration
        let reader = try StretchReader(path: path)
        let stored = (reader.size - first.position) / size
        let declared = info.duration.map { ($0 / info.timeBase).floored() }
        let count = min(stored, declared ?? stored)
        guard count > 0, !(try isContinued(reader, at: first.position + count * size)) else { return nil }
        let notes = StreamNotes(info, hasFingerprints: false)
        var jumps = JumpDetector(allowsForwardJumps: false)
        let length = min(packet, count)
        notes.begin(with: try bytes(reader, from: first.position, count: Int(length * size)))
        for start in stride(from: 0, to: count, by: Int(length)) {
            if start % (length << 10) == 0 { try cancellation.check("index", file: path) }
            let duration = min(length, count - start)
            notes.append(
                StreamNotes.Seen(
                    pts: start,
                    dts: start,
                    duration: duration,
                    position: first.position + start * size,
                    size: Int(duration * size),
                    isKey: true
                ),
                jumps: &jumps
            )
        }
        return FileIndex(streams: [info.index: notes.result], hasFingerprints: false, isStored: true)
    }

    /// True if the file may have only uncompressed audio, whose first packets are read then.
    static func reads(_ input: MediaInput) -> Bool {
        guard containers.contains(input.formatName), let info = input.streams.first, input.streams.count == 1 else {
            return false
        }
        return info.codec.hasPrefix("pcm_") && info.timeBase == Rational(1, Int64(max(1, info.sampleRate)))
    }

    /// True if another chunk of samples follows, as in some WAV files.
    private static func isContinued(_ reader: StretchReader, at end: Int64) throws -> Bool {
        try [end, end + 1].contains { place in
            guard place + 8 <= reader.size else { return false }
            return try bytes(reader, from: place, count: 4) == Array("data".utf8)
        }
    }

    private static func bytes(_ reader: StretchReader, from start: Int64, count: Int) throws -> [UInt8] {
        let stretch = try reader.read(from: start, count: count)
        return stretch.withBytes(0..<stretch.count) { Array($0) }
    }
}

extension AudioMap {
    /// The map of uncompressed audio, whose packets hold as many samples as they last; nil for other audio.
    static func plain(_ index: StreamIndex, limits: AudioLimits, reader: PacketReader) throws -> AudioMap? {
        let packets = index.packets
        guard index.info.codec.hasPrefix("pcm_"), let first = packets.first, first.duration > 0, index.skips.isEmpty,
            index.configurations.count <= 1, index.info.timeBase == Rational(1, Int64(max(1, index.info.sampleRate)))
        else { return nil }
        var map = AudioMap(limits: limits)
        map.blocks.reserveCapacity(packets.count)
        var start = first.pts
        for (number, packet) in packets.run(0..<packets.count).enumerated() {
            // Products of untrusted numbers may overflow.
            let (wanted, given) = (
                Int64(packet.size).multipliedReportingOverflow(by: first.duration),
                Int64(first.size).multipliedReportingOverflow(by: packet.duration)
            )
            guard packet.pts == start, packet.epoch == 0, !packet.isDiscarded, !wanted.overflow, !given.overflow,
                wanted.partialValue == given.partialValue, packet.duration > 0, packet.duration <= Int64(Int32.max)
            else { return nil }
            map.blocks.append(Block(packet: number, start: start - first.pts, count: Int32(packet.duration)))
            start += packet.duration
        }
        guard let frame = try DecodedSound.first(of: index, reader: reader), frame.count == Int(first.duration),
            frame.rate == index.info.sampleRate
        else { return nil }
        map.outputRate = encodableRate(for: frame.rate, limits: limits)
        map.outputChannels = encodableLayout(for: frame.layout, limits: limits).channels
        var span = Span(rate: frame.rate, layout: frame.layout, format: frame.format, firstBlock: 0)
        span.inputCount = start - first.pts
        map.spans = [span]
        let time = Rational(first.pts, Int64(frame.rate)).rounded(scale: Int64(map.outputRate))
        map.anchors = [Anchor(sample: 0, time: time, startsEpoch: false)]
        map.outputCount = map.outputCount(of: span)
        return map
    }
}

/// The properties of a stream's first decoded samples.
private struct DecodedSound {
    let rate: Int
    let layout: ChannelLayout
    let format: String
    /// The samples of the first packet.
    let count: Int

    static func first(of index: StreamIndex, reader: PacketReader) throws -> DecodedSound? {
        let decoder = try Decoder(stream: index.info, file: reader.file)
        try reader.begin([index.info.index: 0..<1])
        guard let (_, _, packet) = try reader.next() else { return nil }
        var result: DecodedSound?
        try decoder.decode(packet) { frame in
            result = DecodedSound(
                rate: frame.sampleRate,
                layout: frame.layout,
                format: frame.sampleFormat ?? "",
                count: frame.sampleCount + (result?.count ?? 0)
            )
        }
        return result
    }
}
