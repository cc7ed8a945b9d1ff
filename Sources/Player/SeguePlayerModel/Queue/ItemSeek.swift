internal import SegueBase

/// A seek that has not ended.
struct ItemSeek: Sendable {
    /// As far as any distance is.
    private static let anyDistance = Duration.seconds(1_000_000_000)

    let id: SeekID

    /// Where to, as it was asked for.
    let target: Duration

    /// How far before it may land; nil for any distance.
    let before: Duration?

    /// How far behind it may land; nil for any distance.
    let after: Duration?

    /// Where it lands; nil until the item is ready.
    var landing: Duration?

    /// Where it lands: at a segment's start when the tolerances reach one, else exactly where it was sent.
    ///
    /// - Parameters:
    ///   - seekable: What may be sought.
    ///   - bounds: The segment that holds a position.
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
