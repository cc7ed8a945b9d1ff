internal import SegueBase

/// A seek in progress.
struct ItemSeek: Sendable {
    /// A distance beyond any item.
    private static let anyDistance = Duration.seconds(1_000_000_000)

    let id: SeekID

    /// The requested position.
    let target: Duration

    /// The tolerance before the target; nil for any distance.
    let before: Duration?

    /// The tolerance after the target; nil for any distance.
    let after: Duration?

    /// The final position; nil until the item is ready.
    var landing: Duration?

    /// Returns the final position: the start of a segment within the tolerances, or else exactly the target.
    ///
    /// - Parameters:
    ///   - bounds: Returns the segment that contains a position.
    /// - Returns: The position.
    func landing(
        within seekable: (start: Duration, end: Duration),
        bounds: (Duration) -> (start: Duration, end: Duration)?
    ) -> Duration {
        let target = min(max(max(.zero, target).inWholeNanoseconds, seekable.start), seekable.end)
        guard target < seekable.end, let bounds = bounds(target) else { return target }
        if target - bounds.start <= before ?? ItemSeek.anyDistance { return bounds.start }
        if bounds.end - target <= after ?? ItemSeek.anyDistance, bounds.end < seekable.end { return bounds.end }
        return target
    }
}
