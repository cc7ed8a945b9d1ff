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
    /// The total number of output samples, including silence at both ends.
    var outputCount: Int64 = 0
    /// The number of silent output samples before the content, and after it.
    private(set) var silence: (before: Int64, after: Int64) = (0, 0)

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

    /// The number of output samples of the content, with those that later audio replaces.
    var contentCount: Int64 {
        let replaced = zip(spans, spans.dropFirst()).reduce(0) { sum, pair in
            sum + max(0, pair.0.outputStart + outputCount(of: pair.0) - pair.1.outputStart)
        }
        return outputCount - silence.before - silence.after + replaced
    }

    /// The map with silence before and after the content, so that it covers a range of seconds since the source's time 0.
    func covering(_ range: Range<Rational>) -> AudioMap {
        guard outputCount > 0 else { return self }
        let rate = Int64(outputRate)
        let before = max(0, time(ofSample: 0) - range.lowerBound.floored(scale: rate))
        let after = max(0, range.upperBound.ceiled(scale: rate) - time(ofSample: outputCount - 1) - 1)
        var result = self
        for place in spans.indices { result.spans[place].outputStart += before }
        for place in anchors.indices { result.anchors[place].sample += before }
        result.outputCount += before + after
        result.silence = (before, after)
        return result
    }
}

/// The holes in a source's audio that transcoded audio fills with silence.
package enum AudioHoles {
    /// Their durations, in seconds: longer ones are wrong timestamps.
    package static let filled = 0.1...3600

    /// Returns true if silence fills a hole of some seconds, which may be the difference of inexact times.
    package static func areFilled(_ seconds: Double) -> Bool {
        (filled.lowerBound - 1e-6...filled.upperBound).contains(seconds)
    }
}

extension AudioMap {
    /// Decodes a whole stream and maps the output.
    ///
    /// A stream whose coding changes is decoded again if a later section has a higher rate or more channels, so that no
    /// section loses any.
    static func make(
        _ index: StreamIndex,
        limits: AudioLimits = .standard,
        reader: PacketReader
    ) throws -> AudioMap {
        if let map = try plain(index, limits: limits, reader: reader) { return map }
        let map = try decode(index, AudioMap(limits: limits), reader: reader)
        var best = AudioMap(limits: limits, outputRate: map.outputRate, outputChannels: map.outputChannels)
        // A damaged header lasts for a few frames.
        for span in map.spans where span.inputCount > Int64(span.rate) / 2 {
            best.outputRate = max(best.outputRate, encodableRate(for: span.rate, limits: limits))
            best.outputChannels = max(best.outputChannels, encodableLayout(for: span.layout, limits: limits).channels)
        }
        guard (best.outputRate, best.outputChannels) != (map.outputRate, map.outputChannels) else { return map }
        return try decode(index, best, reader: reader)
    }

    /// Decodes a whole stream into a map with the output's form, or without it, in that of the first frame.
    private static func decode(_ index: StreamIndex, _ empty: AudioMap, reader: PacketReader) throws -> AudioMap {
        var map = empty
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

    /// Begins a span after some output samples of silence, which no span covers, or with a negative number, in place of
    /// the last samples.
    private mutating func startSpan(rate: Int, layout: ChannelLayout, format: String, after silence: Int64 = 0) {
        let start = spans.last.map { $0.outputStart + outputCount(of: $0) } ?? 0
        spans.append(
            Span(rate: rate, layout: layout, format: format, firstBlock: blocks.count, outputStart: start + silence)
        )
    }

    /// Anchors the first sample, and the first one after each jump or correction, to a time.
    ///
    /// Silence fills holes, so that a segment inside one contains audio, and players do not wait for the timestamps in it.
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
        var placer =
            placing.placer ?? FramePlacer(rate: rate, tolerance: max(end - start, rate / 25), cutsOverlaps: true)
        let expected = placer.expected
        // Coarse timestamps do not determine where an edit list cuts.
        let isFine = placing.index.info.timeBase < Rational(1, 1000)
        let isExact = isJump || (placing.index.hasHiddenInside && isFine)
        let time = placer.place(said, length: end - start, isAfterLoss: placing.hasLost, isAfterJump: isExact)
        (placing.placer, placing.hasLost) = (placer, false)
        if let expected, isOffGrid(time - expected, isExact: isExact) {
            startSpan(rate: span.rate, layout: span.layout, format: span.format, after: time - expected)
            let first = spans[spans.count - 1].outputStart
            if isJump { anchors.append(Anchor(sample: first, time: time, startsEpoch: true)) }
        } else if time != expected || isJump {
            anchors.append(Anchor(sample: span.outputStart + start, time: time, startsEpoch: isJump))
        }
    }

    /// True if silence fills a hole of some output samples, or if later audio replaces the end of the audio so far by as
    /// many.
    private func isOffGrid(_ shift: Int64, isExact: Bool) -> Bool {
        if AudioHoles.areFilled(Double(shift) / Double(outputRate)) { return true }
        guard isExact, shift < 0, let span = spans.last else { return false }
        return -shift < min(Int64(outputRate), outputCount(of: span))
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
        contentStart = map.time(ofSample: map.silence.before)
        epochStarts = map.anchors.filter(\.startsEpoch).map { Int($0.sample / frame) + 1 }
    }
}
