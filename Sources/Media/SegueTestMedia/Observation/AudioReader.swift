internal import SegueFFmpeg

/// Reads the audio of a recording, frame by frame.
struct AudioReader {
    /// The time of the first sample.
    private(set) var start = 0.0
    /// The end of the last sample.
    private(set) var last: Double?

    private var follower: AudioFollower
    private var resampler: (from: String, resampler: Resampler)?
    private var taken = 0.0

    /// The difference between timestamps and sample count that means missing audio, in seconds.
    private static let slack = 0.03
    /// The maximum timestamp gap that is filled with silence, in seconds.
    private static let longestPause = 3600.0

    init(voices: [AudioVoice]) { follower = AudioFollower(voices: voices) }

    mutating func hear(_ frame: Frame, at time: Double?) throws {
        guard frame.sampleCount > 0, frame.sampleRate > 0, let format = frame.sampleFormat else { return }
        if last == nil {
            start = time ?? 0
            last = start
        } else if let time, let last, time - last > Self.slack, time - last < Self.longestPause {
            try fill(time - last)
        }
        let length = Double(frame.sampleCount) / Double(frame.sampleRate)
        taken += length
        last = start + taken
        let layout = frame.layout
        let name = "\(frame.sampleRate) \(format) \(layout.name)"
        if resampler?.from != name {
            let made = try Resampler(
                from: .init(rate: frame.sampleRate, layout: layout, sampleFormat: format),
                to: .init(rate: AudioFollower.rate, layout: ChannelLayout(channels: 1), sampleFormat: "fltp")
            )
            resampler = (name, made)
        }
        try feed(resampler?.resampler.convert(frame))
    }

    /// Returns the recognized audio after the last frame.
    mutating func finished() -> [AudioFollower.Stretch] {
        if let resampler { try? feed(resampler.resampler.convert(nil)) }
        follower.finish()
        return follower.stretches
    }

    /// Feeds silence of a duration in seconds, a second at a time.
    private mutating func fill(_ seconds: Double) throws {
        if let resampler { try feed(resampler.resampler.convert(nil)) }
        resampler = nil
        taken += seconds
        var missing = Int64(taken * Double(AudioFollower.rate)) - follower.fed
        while missing > 0 {
            let count = min(missing, Int64(AudioFollower.rate))
            follower.feed([Float](repeating: 0, count: Int(count)))
            missing -= count
        }
    }

    private mutating func feed(_ frame: Frame?) throws {
        guard let frame, frame.sampleCount > 0, let plane = frame.plane(0) else { return }
        let samples = plane.withMemoryRebound(to: Float.self, capacity: frame.sampleCount) {
            [Float](UnsafeBufferPointer(start: $0, count: frame.sampleCount))
        }
        follower.feed(samples)
    }
}
