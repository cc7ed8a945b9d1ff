internal import SegueBase
internal import SeguePlaylists

/// When a playlist that may grow is loaded again (RFC 8216bis, 6.3.4).
///
/// After a load that brought news the target duration has to pass, after one that did not half of it, both from when the
/// load began, however long that is.
struct PlaylistReload: Sendable {
    /// The load under way, or the one that is being tried again.
    var load: PlaylistLoad?

    /// How often in a row there was no news.
    private(set) var unchanged = 0

    private(set) var dueAt: Instant?

    /// After how many answers in a row that do what the server offers it is forgiven what it did not.
    private static let forgivenAfter = 8

    /// How often lately the server did not do what it offers.
    private(set) var broken = 0

    private var kept = 0

    /// Whether the server did what it offers the last time, or was not asked to.
    var isKept: Bool { broken == 0 || kept > 0 }

    /// The playlist came for the first time, or again.
    mutating func came(isNews: Bool, began: Instant, targetDuration: Duration) {
        load = nil
        unchanged = isNews ? 0 : unchanged + 1
        let target = max(targetDuration, .seconds(1))
        dueAt = began + (isNews ? target : target / 2)
    }

    /// It may be asked for earlier than the clock says, since the answer waits for news.
    mutating func allow(from instant: Instant) { dueAt = dueAt.map { min($0, instant) } ?? instant }

    /// The server did what it offers, or did not.
    mutating func saw(isKept: Bool) {
        kept = isKept ? kept + 1 : 0
        if !isKept { broken += 1 } else if kept >= PlaylistReload.forgivenAfter { broken = 0 }
    }

    /// When it goes on by itself.
    var nextChange: Instant? { load.map(\.nextChange) ?? dueAt }
}
