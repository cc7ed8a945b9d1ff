internal import SegueBase
internal import SeguePlaylists

/// The schedule of reloads of a live playlist (RFC 8216bis, 6.3.4).
///
/// The interval is the target duration after a load that brought changes, and half of it after one that did not, both
/// from the start of the load.
struct PlaylistReload: Sendable {
    /// The open load, or the one that will be retried.
    var load: PlaylistLoad?

    /// The number of consecutive loads without changes.
    private(set) var unchanged = 0

    private(set) var dueAt: Instant?

    /// The number of consecutive responses that honor the server's offers after which earlier violations are forgiven.
    private static let forgivenAfter = 8

    /// The number of recent violations of the server's offers.
    private(set) var broken = 0

    private var kept = 0

    /// Whether the server honored its offers the last time, or no directives were used.
    var isKept: Bool { broken == 0 || kept > 0 }

    /// Records the first load, or a reload.
    mutating func came(isNews: Bool, began: Instant, targetDuration: Duration) {
        load = nil
        unchanged = isNews ? 0 : unchanged + 1
        let target = max(targetDuration, .seconds(1))
        dueAt = began + (isNews ? target : target / 2)
    }

    /// Permits an earlier reload, whose response waits for changes.
    mutating func allow(from instant: Instant) { dueAt = dueAt.map { min($0, instant) } ?? instant }

    /// Records whether the server honored its offers.
    mutating func saw(isKept: Bool) {
        kept = isKept ? kept + 1 : 0
        if !isKept { broken += 1 } else if kept >= PlaylistReload.forgivenAfter { broken = 0 }
    }

    /// The instant of the next reload, retry, or timeout.
    var nextChange: Instant? { load.map(\.nextChange) ?? dueAt }
}
