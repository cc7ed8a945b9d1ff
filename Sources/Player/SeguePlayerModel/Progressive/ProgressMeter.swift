internal import SegueBase
internal import SegueEvents

/// Counts what comes of a file or a stream, as if stretches of it were segments.
struct ProgressMeter: Sendable {
    private(set) var speed = LoadSpeed()

    /// Up to where what is there has been measured.
    private var end = Duration.zero

    /// How many stretches were.
    private var count = 0

    /// Measures what came since the last time, once that is a stretch.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes came since.
    ///   - now: Up to where media are there from the playhead on.
    ///   - playhead: Where that is.
    ///   - share: How much of the media the bytes are; nil where only what is there tells.
    ///   - isEnough: Whether so much of the media is a stretch.
    /// - Returns: The stretch; nil where it is none yet.
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

    /// Takes a stretch into speed, logs and journal.
    mutating func note(_ stretch: Stretch, took: Duration, from url: String, _ turn: inout Turn) {
        speed.add(media: stretch.media, took: took, bytes: stretch.bytes)
        turn.note(url) { $0.add(segmentOf: stretch.gained, bytes: stretch.bytes, took: took) }
        turn.log(
            .segmentLoaded(
                item: turn.item.description,
                stream: StreamRole.main.rawValue,
                number: stretch.number,
                bytes: stretch.bytes,
                start: stretch.start.seconds,
                duration: stretch.gained.seconds,
                seconds: took.seconds
            )
        )
    }

    /// What came since the last time.
    struct Stretch {
        let number: Int
        let start: Duration

        /// How much more is there from the playhead on without a gap.
        let gained: Duration

        /// How much of the media the bytes are.
        let media: Duration
        let bytes: Int
    }
}
