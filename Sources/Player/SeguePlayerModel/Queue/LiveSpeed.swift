internal import SegueBase

/// How much faster or slower than normal a live item is played, so that it comes to be as far behind its live edge as is
/// wanted.
///
/// The further from that, the more, up to three hundredths (androidx/media, DefaultLivePlaybackSpeedControl: a
/// proportional controller with the factor 0.1, looked at once a second); here in whole hundredths.
struct LiveSpeed: Sendable {
    private static let interval = Duration.seconds(1)
    private static let hundredthsPerSecond = 10.0
    private static let most = 3.0

    /// How many times as fast as normal.
    private(set) var factor = 1.0

    /// When it is looked at again; nil where it is normal and stays so.
    private(set) var nextLook: Instant?

    /// Looks how fast to play from now on.
    ///
    /// - Parameters:
    ///   - lag: How far the playhead is behind where it is wanted; nil where it is wanted nowhere.
    ///   - ahead: How much is buffered ahead of it, which it does not run out of for that.
    ///   - now: The present time.
    /// - Returns: Whether that is another speed than before.
    mutating func look(lag: Duration?, ahead: Duration, at now: Instant) -> Bool {
        let former = factor
        nextLook = lag == nil ? nil : now + LiveSpeed.interval
        let wanted = min(lag ?? .zero, max(.zero, ahead)).seconds * LiveSpeed.hundredthsPerSecond
        factor = (100 + min(max(wanted, -LiveSpeed.most), LiveSpeed.most).rounded()) / 100
        return factor != former
    }
}
