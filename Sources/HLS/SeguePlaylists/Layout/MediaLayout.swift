/// What the head of a media file tells: what is in it, how long it is, and where in it which time is.
package struct MediaLayout: Sendable, Equatable {
    /// The container or the coding, by its common short name.
    package var format: String

    /// Whether there is a picture.
    package var hasVideo: Bool

    /// Whether there is sound.
    package var hasAudio: Bool

    /// How long it is.
    package var duration: Duration

    /// Which bytes hold which time.
    package var map: ByteMap

    /// Whether the duration follows from the size and the first frames, and not from what the file says.
    package var isEstimate = false

    /// A file of sound whose bytes pass evenly.
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
    /// No file is taken to be longer: ten thousand hours.
    static let longestFile = Duration.seconds(36_000_000)

    /// So many units of a clock; at most ``longestFile``.
    static func units(_ count: Int64, of scale: Int64) -> Duration {
        guard scale > 0, count > 0 else { return .zero }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: scale)
        guard whole < 36_000_000 else { return longestFile }
        return .seconds(whole) + .nanoseconds(Int64(Double(rest) / Double(scale) * 1e9))
    }
}
