internal import SegueBase

/// How fast media load, from the segments that came last.
struct LoadSpeed: Sendable {
    private struct Sample {
        /// Seconds.
        var media: Double
        let took: Duration
        let bytes: Int
    }

    /// How many segments the estimate looks back at: enough to smooth one slow answer, few enough to follow a change.
    private static let window = 5

    private var samples: [Sample] = []

    /// Takes in a segment that came whole.
    mutating func add(media: Duration, took: Duration, bytes: Int) {
        samples.append(Sample(media: media.seconds, took: max(took, .nanoseconds(1)), bytes: bytes))
        if samples.count > LoadSpeed.window { samples.removeFirst() }
    }

    /// Takes what was seen for as much less or more media as another variant's bit rate is higher or lower.
    mutating func scale(fromBitrate former: Int, to bitrate: Int) {
        guard former > 0, bitrate > 0, former != bitrate else { return }
        for index in samples.indices {
            samples[index].media *= Double(former) / Double(bitrate)
        }
    }

    /// Seconds of media that load in a second; nil when nothing has loaded yet.
    var mediaPerSecond: Double? {
        guard !samples.isEmpty else { return nil }
        return samples.reduce(0) { $0 + $1.media } / samples.reduce(0) { $0 + $1.took.seconds }
    }

    /// Bits that come in a second; nil when nothing has loaded yet.
    var bitsPerSecond: Double? {
        guard !samples.isEmpty else { return nil }
        return Double(samples.reduce(0) { $0 + $1.bytes }) * 8 / samples.reduce(0) { $0 + $1.took.seconds }
    }

    /// What the media themselves take, in bits per second; nil when nothing has loaded yet.
    var mediaBitrate: Double? {
        guard !samples.isEmpty else { return nil }
        let media = samples.reduce(0) { $0 + $1.media }
        return media > 0 ? Double(samples.reduce(0) { $0 + $1.bytes }) * 8 / media : nil
    }
}
