internal import SegueFFmpeg

/// Listens to the audio of a recording, one frame after the other.
struct AudioReader {
    /// When the first sample is due.
    private(set) var start = 0.0
    /// When the last sample is over.
    private(set) var last: Double?

    private var follower: AudioFollower
    private var resampler: (from: String, resampler: Resampler)?
    private var taken = 0.0

    /// Where the file's times and the number of its samples differ by more, something was left out.
    private static let slack = 0.03
    /// The longest pause of the file's times that is listened through as silence.
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
                from: frame.sampleRate,
                inputLayout: layout,
                inputFormat: format,
                to: AudioFollower.rate,
                outputLayout: ChannelLayout(channels: 1),
                outputFormat: "fltp"
            )
            resampler = (name, made)
        }
        try feed(resampler?.resampler.convert(frame))
    }

    /// What was heard, after the last frame.
    mutating func finished() -> [AudioFollower.Stretch] {
        if let resampler { try? feed(resampler.resampler.convert(nil)) }
        follower.finish()
        return follower.stretches
    }

    /// Hears silence for so many seconds, a second at a time.
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
