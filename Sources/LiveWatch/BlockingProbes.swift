internal import Conformance
internal import HLS
internal import Timeline

/// Asks once how a server answers blocking reloads that players do not make.
struct BlockingProbes: Sendable {
    private enum Probe {
        case ahead, partAlone, past
    }

    private var open: [String: Probe] = [:]

    /// What is asked.
    mutating func requests(_ url: String, _ playlist: MediaPlaylist, at now: Instant) -> [WatchRequest] {
        guard playlist.serverControl?.canBlockReload ?? false, !playlist.segments.isEmpty else { return [] }
        let asked: [(Probe, Directives)] = [
            (.ahead, Directives(sequence: playlist.nextSequence + 10)),
            (.partAlone, Directives(part: 0)),
            (.past, Directives(sequence: playlist.nextSequence - 1)),
        ]
        return asked.map { probe, directives in
            let url = directives.added(to: url)
            open[url] = probe
            return WatchRequest(method: .get, url: url, at: now, patience: .seconds(playlist.target), mayBlock: true)
        }
    }

    /// What an answer breaks; nil where it is none of these.
    mutating func judge(_ answer: WatchAnswer, target: Double) -> [Breach]? {
        guard let probe = open.removeValue(forKey: answer.url) else { return nil }
        switch probe {
        case .ahead where answer.status != 400:
            return [Breach(LiveRules.blockAhead, "for the eleventh segment after the last: \(answer.trouble)")]
        case .partAlone where answer.status != 400:
            return [Breach(LiveRules.blockPart, answer.trouble)]
        case .past:
            let took = (answer.ended - answer.began).seconds
            guard answer.isThere else { return [Breach(LiveRules.blockPast, answer.trouble)] }
            guard took > max(1, target / 2) else { return [] }
            return [Breach(LiveRules.blockPast, "it is answered after \(words(took))")]
        default: return []
        }
    }
}
