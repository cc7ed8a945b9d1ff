internal import SegueBase
internal import SeguePlaylists

/// Sends once some blocking reloads that players rarely send.
struct BlockingProbes: Sendable {
    /// The kind of request: a segment far ahead, a part without a segment, a listed segment, or the next segment
    /// without a part.
    enum Probe {
        case ahead, partAlone, past
        case next(Int)
    }

    private var open: [String: Probe] = [:]

    mutating func requests(_ url: String, _ playlist: MediaPlaylist, at now: Instant) -> [WatchRequest] {
        guard playlist.serverControl?.canBlockReload ?? false, !playlist.segments.isEmpty else { return [] }
        var asked: [(Probe, Directives)] = [
            (.ahead, Directives(sequence: playlist.nextSequence + 10)),
            (.partAlone, Directives(part: 0)),
            (.past, Directives(sequence: playlist.nextSequence - 1)),
        ]
        // Without parts, all reloads are of this kind.
        if playlist.partTarget != nil {
            asked.append((.next(playlist.nextSequence), Directives(sequence: playlist.nextSequence)))
        }
        return asked.map { probe, directives in
            let url = directives.added(to: url)
            open[url] = probe
            let patience = if case .next = probe { 3 * playlist.target + 5 } else { playlist.target }
            return WatchRequest(method: .get, url: url, at: now, patience: .seconds(patience), mayBlock: true)
        }
    }

    /// Removes and returns the probe of a URL; nil if there is none.
    mutating func end(_ url: String) -> Probe? { open.removeValue(forKey: url) }

    /// Checks the response of a probe.
    ///
    /// - Parameters:
    ///   - target: The target duration in seconds.
    ///   - playlist: Returns the playlist of the response; nil if it cannot be parsed.
    /// - Returns: The breaches.
    static func judge(
        _ probe: Probe,
        _ response: WatchResponse,
        target: Double,
        playlist: () -> MediaPlaylist?
    ) -> [Breach] {
        let took = (response.ended - response.began).seconds
        switch probe {
        case .ahead where response.status != 400:
            return [
                Breach(
                    LowLatencyRules.blockAhead,
                    "a request for the eleventh segment after the last: \(response.trouble), expected 400"
                )
            ]
        case .partAlone where response.status != 400:
            return [Breach(LowLatencyRules.blockPart, "\(response.trouble), expected 400")]
        case .past:
            guard response.isThere else { return [Breach(LowLatencyRules.blockPast, response.trouble)] }
            guard took > max(1, target / 2) else { return [] }
            let comparison = Comparison(
                "the response took",
                took,
                expected: .atMost(max(1, target / 2)),
                unit: .seconds
            )
            return [Breach(LowLatencyRules.blockPast, comparison)]
        case .next(let number):
            // After three target durations, the server must return an error.
            guard response.isThere, let playlist = playlist(), !playlist.hasEndList, playlist.nextSequence <= number
            else {
                return []
            }
            let message: Message =
                "the blocking reload returned after \(DisplayText.seconds(took)) without the complete segment \(number)"
            return [Breach(LowLatencyRules.blockAnswer, message)]
        default: return []
        }
    }
}
