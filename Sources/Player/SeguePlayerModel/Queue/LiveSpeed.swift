internal import SegueBase

/// The speed of a live item, which approaches its target distance from the live edge.
///
/// The correction is proportional to the error, up to 3 %, in steps of 1 % (androidx/media,
/// DefaultLivePlaybackSpeedControl: a proportional controller with the factor 0.1, updated once a second).
struct LiveSpeed: Sendable {
    private static let interval = Duration.seconds(1)
    private static let hundredthsPerSecond = 10.0
    private static let most = 3.0

    /// The multiple of normal speed.
    private(set) var factor = 1.0

    /// The instant of the next update; nil while the speed is normal and stays so.
    private(set) var nextLook: Instant?

    /// Updates the speed, and returns whether it has changed.
    ///
    /// - Parameters:
    ///   - lag: The distance of the playhead behind the target; nil without a target.
    ///   - ahead: The buffer ahead of the playhead, which a higher speed must not exhaust.
    /// - Returns: True if the speed has changed.
    mutating func look(lag: Duration?, ahead: Duration, at now: Instant) -> Bool {
        let former = factor
        nextLook = lag == nil ? nil : now + LiveSpeed.interval
        let wanted = min(lag ?? .zero, max(.zero, ahead)).seconds * LiveSpeed.hundredthsPerSecond
        factor = (100 + min(max(wanted, -LiveSpeed.most), LiveSpeed.most).rounded()) / 100
        return factor != former
    }
}
