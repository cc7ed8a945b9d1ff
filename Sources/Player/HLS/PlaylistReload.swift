internal import HLS
internal import Timeline

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

    /// The playlist came for the first time, or again.
    mutating func came(isNews: Bool, began: Instant, targetDuration: Duration) {
        load = nil
        unchanged = isNews ? 0 : unchanged + 1
        let target = max(targetDuration, .seconds(1))
        dueAt = began + (isNews ? target : target / 2)
    }

    /// When it goes on by itself.
    var nextChange: Instant? { load.map(\.nextChange) ?? dueAt }
}
