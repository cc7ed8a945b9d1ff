internal import SegueBase
internal import SeguePlaylists

/// The schedule of the reloads of one playlist.
struct ReloadSchedule: Sendable {
    /// The longest target duration of the other playlists in seconds, which an I-frame playlist follows.
    var beat = 0.0
    /// The number of consecutive failures.
    private(set) var failures = 0
    /// The number of successful loads.
    private(set) var loads = 0
    /// The number of consecutive loads of a finished playlist.
    private(set) var endLoads = 0
    /// True if the last blocking reload did not return the requested part.
    var didBlockWithoutResult = false

    /// Counts a delta update that does not fit, which only the loads count.
    mutating func countRejectedUpdate() { loads += 1 }

    mutating func countLoad(hasEnded: Bool) {
        loads += 1
        endLoads = hasEnded ? endLoads + 1 : 0
    }

    mutating func countSuccess() { failures = 0 }

    /// Counts a failure and returns the delay of the next load.
    mutating func countFailure(target: Double?) -> Duration {
        failures += 1
        return .seconds(failures > 10 ? 30 : min((target ?? 4) / 2, 5))
    }

    /// True for the first, second, fourth failure, and so on, which are reported.
    var isFailureReported: Bool { failures & (failures - 1) == 0 }

    /// Returns the next load after a successful one, as a player sends it (rfc8216bis, 6.3.4).
    func next(after update: PlaylistUpdate, hasChanged: Bool, of source: WatchedPlaylist) -> WatchRequest {
        let (playlist, response) = (update.playlist, update.response)
        let target = min(max(playlist.target, beat), 60)
        func request(_ directives: Directives, at instant: Instant) -> WatchRequest {
            self.request(directives, at: instant, of: source, target: playlist.target)
        }
        if playlist.hasEndList { return request(Directives(), at: response.ended + .seconds(target)) }
        var directives = Directives()
        if playlist.serverControl?.canSkipUntil != nil, loads % 8 == 7 { directives.skips = true }
        if source.isBlocking, playlist.serverControl?.canBlockReload ?? false, !didBlockWithoutResult {
            directives.sequence = playlist.nextSequence
            if playlist.partTarget != nil { directives.part = playlist.openParts.count }
            return request(directives, at: response.ended)
        }
        let last = source.isIFrames ? target : playlist.segments.last?.duration.seconds ?? target
        let wait = hasChanged ? min(max(last, 0.5), target) : max(target / 2, 0.5)
        return request(directives, at: max(response.began + .seconds(wait), response.ended + .seconds(0.2)))
    }

    /// Returns a load with a timeout that fits its directives.
    func request(
        _ directives: Directives,
        at instant: Instant,
        of source: WatchedPlaylist,
        target: Double?
    ) -> WatchRequest {
        let target = target ?? 6
        let timeout = directives.sequence == nil ? min(max(2 * target, 10), 60) : min(3 * target + 5, 600)
        return WatchRequest(
            method: .get,
            url: directives.added(to: source.url),
            at: instant,
            patience: .seconds(timeout),
            mayBlock: directives.sequence != nil
        )
    }
}
