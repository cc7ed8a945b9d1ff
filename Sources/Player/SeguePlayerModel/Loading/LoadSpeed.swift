internal import SegueBase

/// The loading speed, computed from the last segments.
struct LoadSpeed: Sendable {
    private struct Sample {
        /// In seconds.
        var media: Double
        let took: Duration
        let bytes: Int
    }

    /// The number of segments in the estimate: enough to smooth one slow response, and few enough to follow a change.
    private static let window = 5

    private var samples: [Sample] = []

    /// Adds a complete segment.
    mutating func add(media: Duration, took: Duration, bytes: Int) {
        samples.append(Sample(media: media.seconds, took: max(took, .nanoseconds(1)), bytes: bytes))
        if samples.count > LoadSpeed.window { samples.removeFirst() }
    }

    /// Scales the measurements to the bit rate of another variant.
    mutating func scale(fromBitrate former: Int, to bitrate: Int) {
        guard former > 0, bitrate > 0, former != bitrate else { return }
        for index in samples.indices {
            samples[index].media *= Double(former) / Double(bitrate)
        }
    }

    /// Seconds of media that load in a second; nil before the first segment.
    var mediaPerSecond: Double? {
        guard !samples.isEmpty else { return nil }
        return samples.reduce(0) { $0 + $1.media } / samples.reduce(0) { $0 + $1.took.seconds }
    }

    /// The loading speed in bits per second; nil before the first segment.
    var bitsPerSecond: Double? {
        guard !samples.isEmpty else { return nil }
        return Double(samples.reduce(0) { $0 + $1.bytes }) * 8 / samples.reduce(0) { $0 + $1.took.seconds }
    }

    /// The bit rate of the media, in bits per second; nil before the first segment.
    var mediaBitrate: Double? {
        guard !samples.isEmpty else { return nil }
        let media = samples.reduce(0) { $0 + $1.media }
        return media > 0 ? Double(samples.reduce(0) { $0 + $1.bytes }) * 8 / media : nil
    }
}
