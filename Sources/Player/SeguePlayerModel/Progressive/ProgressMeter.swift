internal import SegueBase
internal import SegueEvents

/// Measures a file or a stream, treating stretches of it like segments.
struct ProgressMeter: Sendable {
    private(set) var speed = LoadSpeed()

    /// The end of the measured media.
    private var end = Duration.zero

    /// The number of stretches.
    private var count = 0

    /// Measures the media since the last stretch, and returns a stretch when there is enough.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes received since.
    ///   - now: The end of the contiguous media from the playhead.
    ///   - playhead: The position of the playhead.
    ///   - share: The duration of media in the bytes; nil if only the contiguous media are known.
    ///   - isEnough: True if a duration suffices for a stretch.
    /// - Returns: The stretch; nil if there is not enough yet.
    mutating func measure(
        _ bytes: Int,
        upTo now: Duration,
        from playhead: Duration,
        share: Duration?,
        isEnough: (Duration) -> Bool
    ) -> Stretch? {
        if now < end || end < playhead { end = min(now, max(playhead, end)) }
        let gained = now - end
        let media = share ?? gained
        guard bytes > 0, media > .zero, isEnough(media) else { return nil }
        defer {
            count += 1
            end = now
        }
        return Stretch(number: count, start: end, gained: gained, media: media, bytes: bytes)
    }

    /// Adds a stretch to the speed, the log, and the access log.
    mutating func note(_ stretch: Stretch, took: Duration, from url: String, _ context: inout StepContext) {
        speed.add(media: stretch.media, took: took, bytes: stretch.bytes)
        context.note(url) { $0.add(segmentOf: stretch.gained, bytes: stretch.bytes, took: took) }
        context.log(
            .segmentLoaded(
                item: context.item.description,
                stream: StreamRole.main.rawValue,
                number: stretch.number,
                bytes: stretch.bytes,
                start: stretch.start.seconds,
                duration: stretch.gained.seconds,
                seconds: took.seconds
            )
        )
    }

    /// The media since the last stretch.
    struct Stretch {
        let number: Int
        let start: Duration

        /// The additional contiguous media from the playhead.
        let gained: Duration

        /// The duration of media in the bytes.
        let media: Duration
        let bytes: Int
    }
}
