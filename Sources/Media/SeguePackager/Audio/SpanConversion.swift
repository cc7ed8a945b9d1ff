internal import SegueBase
internal import SegueFFmpeg

/// A buffer for a section of output samples.
struct SampleStore {
    let range: Range<Int64>
    var channels: [[Float]]

    init(range: Range<Int64>, channels: Int) {
        self.range = range
        self.channels = Array(repeating: [Float](repeating: 0, count: range.count), count: channels)
    }

    /// Copies the wanted samples of a planar float frame that begins at `start`.
    mutating func take(_ frame: Frame, at start: Int64, wanted: Range<Int64>) {
        let part = (start..<start + Int64(frame.sampleCount)).clamped(to: wanted).clamped(to: range)
        guard !part.isEmpty else { return }
        for channel in channels.indices {
            guard let plane = frame.plane(channel) else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: frame.sampleCount) { source in
                channels[channel].withUnsafeMutableBufferPointer { target in
                    guard let base = target.baseAddress else { return }
                    (base + Int(part.lowerBound - range.lowerBound))
                        .update(from: source + Int(part.lowerBound - start), count: part.count)
                }
            }
        }
    }
}

/// A converter of one span to the output's rate, channels, and format on the output grid.
///
/// If the rate changes, conversion starts at an input sample that coincides with an output sample, so every part is
/// converted in the same phase.
struct SpanConversion {
    private let span: AudioMap.Span
    private let outputRate: Int
    private let resampler: Resampler
    /// The next input sample for the resampler, once started.
    private var nextInput: Int64?
    /// The position of the next output sample.
    private var nextOutput: Int64 = 0
    private var earliest: Int64 = 0

    private var changesRate: Bool { span.rate != outputRate }
    /// The distance between input samples that coincide with output samples.
    private var step: Int64 {
        var (a, b) = (Int64(span.rate), Int64(outputRate))
        while b != 0 { (a, b) = (b, a % b) }
        return Int64(span.rate) / a
    }

    init(span: AudioMap.Span, map: AudioMap) throws(MediaError) {
        self.span = span
        outputRate = map.outputRate
        resampler = try Resampler(
            from: .init(rate: span.rate, layout: span.layout, sampleFormat: span.format),
            to: .init(rate: map.outputRate, layout: ChannelLayout(channels: map.outputChannels), sampleFormat: "fltp")
        )
    }

    /// The first input sample needed for an output sample.
    mutating func inputStart(for output: Int64) -> Int64 {
        let inSpan = output - span.outputStart
        guard changesRate else {
            earliest = inSpan
            return inSpan
        }
        let exact = inSpan * Int64(span.rate) / Int64(outputRate)
        let early = max(0, exact - 4096)
        earliest = early / step * step
        return earliest
    }

    /// The end of the input needed for output up to a position.
    func inputEnd(for output: Int64) -> Int64 {
        let inSpan = output - span.outputStart
        guard changesRate else { return inSpan }
        return min(span.inputCount, inSpan * Int64(span.rate) / Int64(outputRate) + 4096)
    }

    /// Converts a decoded frame that begins at `start` in the span.
    mutating func feed(_ frame: Frame, at start: Int64, wanted: Range<Int64>, into store: inout SampleStore) throws {
        guard start + Int64(frame.sampleCount) > earliest else { return }
        guard frame.sampleRate == span.rate, frame.sampleFormat == span.format, frame.channels == span.layout.channels
        else { return }
        guard changesRate else {
            guard let converted = try resampler.convert(frame) else { return }
            store.take(converted, at: span.outputStart + start, wanted: wanted)
            return
        }
        let dropped = Int(max(0, earliest - start))
        if nextInput == nil {
            nextInput = max(start, earliest)
            nextOutput =
                span.outputStart + (max(start, earliest) * Int64(outputRate) + Int64(span.rate) / 2)
                / Int64(span.rate)
        }
        guard let converted = try resampler.convert(try frame.dropping(first: dropped)) else { return }
        store.take(converted, at: nextOutput, wanted: wanted)
        nextOutput += Int64(converted.sampleCount)
    }

    /// Drains the resampler.
    mutating func finish(wanted: Range<Int64>, into store: inout SampleStore) throws {
        guard changesRate, nextInput != nil else { return }
        while let rest = try resampler.convert(nil) {
            store.take(rest, at: nextOutput, wanted: wanted)
            nextOutput += Int64(rest.sampleCount)
        }
    }
}
