/// The content, duration, and byte map of a media file, by its header.
package struct MediaLayout: Sendable, Equatable {
    /// The short name of the container or codec.
    package var format: String

    /// True if there is video.
    package var hasVideo: Bool

    /// True if there is audio.
    package var hasAudio: Bool

    package var duration: Duration

    /// The mapping from times to bytes.
    package var map: ByteMap

    /// True if the duration is estimated from the size and the first frames.
    package var isEstimate = false

    /// An audio file with a constant bit rate.
    static func even(_ format: String, from start: Int64, to end: Int64, duration: Duration) -> MediaLayout {
        MediaLayout(
            format: format,
            hasVideo: false,
            hasAudio: true,
            duration: duration,
            map: ByteMap(
                points: [
                    ByteMap.Point(time: .zero, offset: start), ByteMap.Point(time: duration, offset: max(end, start)),
                ]
            )
        )
    }
}

extension Duration {
    /// The maximum duration of a file, 10,000 hours.
    static let longestFile = Duration.seconds(36_000_000)

    /// Converts clock units to a time, at most ``longestFile``.
    static func units(_ count: Int64, of scale: Int64) -> Duration {
        guard scale > 0, count > 0 else { return .zero }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: scale)
        guard whole < 36_000_000 else { return longestFile }
        return .seconds(whole) + .nanoseconds(Int64(Double(rest) / Double(scale) * 1e9))
    }
}
