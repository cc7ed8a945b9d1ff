internal import SegueBase
internal import SeguePlaylists

/// Asks once how a server answers blocking reloads that players do not make, or seldom.
struct BlockingProbes: Sendable {
    /// What is asked for: a segment that is far ahead, a part without a segment, a segment that is there, and the next
    /// one without its parts.
    enum Probe {
        case ahead, partAlone, past
        case next(Int)
    }

    private var open: [String: Probe] = [:]

    /// What is asked.
    mutating func requests(_ url: String, _ playlist: MediaPlaylist, at now: Instant) -> [WatchRequest] {
        guard playlist.serverControl?.canBlockReload ?? false, !playlist.segments.isEmpty else { return [] }
        var asked: [(Probe, Directives)] = [
            (.ahead, Directives(sequence: playlist.nextSequence + 10)),
            (.partAlone, Directives(part: 0)),
            (.past, Directives(sequence: playlist.nextSequence - 1)),
        ]
        // Where there are no parts, each reload asks so.
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

    /// What was asked with a URL; nil where it is none of these.
    mutating func end(_ url: String) -> Probe? { open.removeValue(forKey: url) }

    /// What an answer breaks.
    ///
    /// - Parameters:
    ///   - probe: What was asked.
    ///   - answer: The answer.
    ///   - target: The target duration in seconds.
    ///   - playlist: What it holds; nil where it cannot be read.
    /// - Returns: What is broken.
    static func judge(
        _ probe: Probe,
        _ answer: WatchAnswer,
        target: Double,
        playlist: () -> MediaPlaylist?
    ) -> [Breach] {
        let took = (answer.ended - answer.began).seconds
        switch probe {
        case .ahead where answer.status != 400:
            return [Breach(LiveRules.blockAhead, "for the eleventh segment after the last: \(answer.trouble)")]
        case .partAlone where answer.status != 400:
            return [Breach(LiveRules.blockPart, answer.trouble)]
        case .past:
            guard answer.isThere else { return [Breach(LiveRules.blockPast, answer.trouble)] }
            guard took > max(1, target / 2) else { return [] }
            return [Breach(LiveRules.blockPast, "it is answered after \(words(took))")]
        case .next(let number):
            // An error is an answer, too, and after three target durations it is to be one.
            guard answer.isThere, let playlist = playlist(), !playlist.hasEndList, playlist.nextSequence <= number
            else {
                return []
            }
            let text = "it is answered after \(words(took)) without segment \(number), all of which it was to wait for"
            return [Breach(LiveRules.blockAnswer, text)]
        default: return []
        }
    }
}
