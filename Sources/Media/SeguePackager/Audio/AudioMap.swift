internal import SegueBase
internal import SegueFFmpeg

/// The result of decoding a stream completely: sample counts per packet, and their times.
///
/// The counts match a direct decode, trims and damage included. They allow any part to be decoded later on the same
/// sample grid.
struct AudioMap: Sendable {
    /// The encoder's frame size, in samples.
    static let frame = 1024

    /// The output of one packet.
    struct Block: Sendable {
        /// The packet's number in the index.
        var packet: Int
        /// The position of the first sample, in the span's input samples.
        var start: Int64
        /// The number of samples.
        var count: Int32
    }

    /// A section with constant decoder rate, channels, and format.
    struct Span: Sendable {
        var rate: Int
        var layout: ChannelLayout
        var format: String
        /// The number of the first block.
        var firstBlock: Int
        /// The length in input samples.
        var inputCount: Int64 = 0
        /// The start on the output grid, in samples.
        var outputStart: Int64 = 0
    }

    /// A point that maps a sample to a time.
    struct Anchor: Sendable {
        /// The sample on the output grid.
        var sample: Int64
        /// The presentation time, in output samples since the source's time 0.
        var time: Int64
        /// True after a jump in the source's timestamps.
        var startsEpoch: Bool
    }

    /// The output limits.
    var limits = AudioLimits.standard
    var blocks: [Block] = []
    var spans: [Span] = []
    var anchors: [Anchor] = []
    /// The output sample rate, in hertz.
    var outputRate = 0
    var outputChannels = 0
    /// The total number of output samples.
    var outputCount: Int64 = 0

    /// The output rate for a source rate: the same if AAC and players support it, otherwise the next higher supported
    /// one.
    static func encodableRate(for rate: Int, limits: AudioLimits = .standard) -> Int {
        let rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000].filter { $0 <= limits.sampleRate }
        let greatest = rates.last ?? 48000
        if rate > greatest { return greatest > 44100 && rate % 44100 == 0 ? 44100 : greatest }
        return rates.first { $0 >= rate } ?? greatest
    }

    /// The output layout for a source layout.
    static func encodableLayout(for layout: ChannelLayout, limits: AudioLimits = .standard) -> ChannelLayout {
        let wished =
            switch layout.channels {
            case 1: 1
            case 6...: 6
            default: 2
            }
        // Decoders disagree on layouts between stereo and 5.1.
        return ChannelLayout(channels: wished <= limits.channels ? wished : min(2, limits.channels))
    }

    /// The number of output samples of a span.
    func outputCount(of span: Span) -> Int64 {
        span.rate == outputRate
            ? span.inputCount
            : (span.inputCount * Int64(outputRate) + Int64(span.rate) - 1) / Int64(span.rate)
    }

    /// The presentation time of an output sample, in output samples since the source's time 0.
    func time(ofSample sample: Int64) -> Int64 {
        let place = anchors.partitioningIndex { $0.sample > sample } - 1
        guard let anchor = anchors.indices.contains(place) ? anchors[place] : anchors.first else { return sample }
        return anchor.time + sample - anchor.sample
    }
}

extension AudioMap {
    /// Decodes a whole stream and maps the output.
    static func make(
        _ index: StreamIndex,
        limits: AudioLimits = .standard,
        reader: PacketReader
    ) throws -> AudioMap {
        var map = AudioMap()
        map.limits = limits
        let decoder = try Decoder(stream: index.info, file: reader.file)
        var placing = Placing(index: index)
        try reader.begin([index.info.index: 0..<index.packets.count])
        var last = 0
        while let (_, number, packet) = try reader.next() {
            last = number
            index.prepare(packet, number: number, isFirst: false)
            do {
                try decoder.decode(packet, opaque: Int64(number)) { map.note($0, of: number, &placing) }
            } catch let error as MediaError {
                // A packet that fails to decode gives no samples; a direct decode also skips it.
                if error.isCancelled { throw error }
                placing.hasLost = true
            }
        }
        try? decoder.decode(nil, opaque: Int64(last)) { map.note($0, of: last, &placing) }
        map.finish()
        return map
    }

    /// The state of timestamp placement.
    private struct Placing {
        let index: StreamIndex
        var placer: FramePlacer?
        var epoch: Int32?
        /// True if a packet failed since the last frame.
        var hasLost = false
    }

    private mutating func note(_ frame: Frame, of packet: Int, _ placing: inout Placing) {
        guard frame.sampleCount > 0, frame.sampleRate > 0 else { return }
        let format = frame.sampleFormat ?? "fltp"
        if outputRate == 0 {
            outputRate = AudioMap.encodableRate(for: frame.sampleRate, limits: limits)
            outputChannels = AudioMap.encodableLayout(for: frame.layout, limits: limits).channels
        }
        let layout = frame.layout
        if let span = spans.last, span.rate == frame.sampleRate, span.format == format, span.layout.name == layout.name
        {
        } else {
            startSpan(rate: frame.sampleRate, layout: layout, format: format)
        }
        setInTime(frame, packet: packet, &placing)
        let place = spans.count - 1
        let span = spans[place]
        if blocks.count > span.firstBlock, blocks[blocks.count - 1].packet == packet {
            blocks[blocks.count - 1].count += Int32(frame.sampleCount)
        } else {
            blocks.append(Block(packet: packet, start: span.inputCount, count: Int32(frame.sampleCount)))
        }
        spans[place].inputCount += Int64(frame.sampleCount)
    }

    /// Begins a span after some output samples of silence, which no span covers.
    private mutating func startSpan(rate: Int, layout: ChannelLayout, format: String, after silence: Int64 = 0) {
        let start = spans.last.map { $0.outputStart + outputCount(of: $0) } ?? 0
        spans.append(
            Span(rate: rate, layout: layout, format: format, firstBlock: blocks.count, outputStart: start + silence)
        )
    }

    /// Anchors the first sample, and the first one after each jump or correction, to a time.
    ///
    /// Silence fills holes of a second or more, so that a segment inside one contains audio. Longer holes than an hour are
    /// wrong timestamps, and stay empty.
    private mutating func setInTime(_ frame: Frame, packet: Int, _ placing: inout Placing) {
        let span = spans[spans.count - 1]
        let entry = placing.index.packets[packet]
        // The decoder's timestamp includes the samples it dropped; the shift removes the source's jumps.
        let shift =
            entry.rawPTS == IndexedPacket.unknown || entry.pts == IndexedPacket.unknown ? 0 : entry.pts - entry.rawPTS
        let said = frame.pts.map { Rational($0 + shift) * placing.index.info.timeBase }
        let isJump = placing.epoch.map { $0 != entry.epoch } ?? false
        placing.epoch = entry.epoch
        let rate = Int64(outputRate)
        let start = span.inputCount * rate / Int64(span.rate)
        let end = (span.inputCount + Int64(frame.sampleCount)) * rate / Int64(span.rate)
        var placer = placing.placer ?? FramePlacer(rate: rate, tolerance: max(end - start, rate / 25))
        let expected = placer.expected
        let time = placer.place(said, length: end - start, isAfterLoss: placing.hasLost)
        (placing.placer, placing.hasLost) = (placer, false)
        if let expected, !isJump, (rate...3600 * rate).contains(time - expected) {
            startSpan(rate: span.rate, layout: span.layout, format: span.format, after: time - expected)
        } else if time != expected || isJump {
            anchors.append(Anchor(sample: span.outputStart + start, time: time, startsEpoch: isJump))
        }
    }

    private mutating func finish() {
        outputCount = spans.last.map { $0.outputStart + outputCount(of: $0) } ?? 0
    }
}

extension AudioTrack {
    /// Places the encoder's frames in time: frame 0 is the encoder delay, frame k holds samples from (k - 1) x 1024.
    init?(transcoding index: StreamIndex, map: AudioMap, reason: String) {
        guard map.outputCount > 0 else { return nil }
        let frame = Int64(AudioMap.frame)
        let chunks = (map.outputCount + frame - 1) / frame
        stream = index.info
        source = .transcoded(map, reason: reason)
        clockRate = Int64(map.outputRate)
        var starts = (0...chunks).map { map.time(ofSample: ($0 - 1) * frame) }
        for place in 1..<starts.count { starts[place] = max(starts[place], starts[place - 1] + frame / 2) }
        self.starts = TimeList(starts)
        end = max(map.time(ofSample: map.outputCount - 1) + 1, starts[starts.count - 1] + 1)
        contentStart = map.time(ofSample: 0)
        epochStarts = map.anchors.filter(\.startsEpoch).map { Int($0.sample / frame) + 1 }
    }
}
