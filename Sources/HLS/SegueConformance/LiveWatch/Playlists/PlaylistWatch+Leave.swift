internal import SegueBase
internal import SeguePlaylists

/// What becomes of a playlist that the multivariant playlist lists no longer.
extension PlaylistWatch {
    /// How it was left, and what it had.
    struct Leave: Sendable {
        /// When it was listed no longer.
        let at: Instant
        /// Whether another is listed in its place.
        let isMoved: Bool
        /// The number after its last segment when it had time to stop; nil until then.
        var sequence: Int?
        /// Whether it is no longer watched.
        var isOver = false
    }

    /// Whether it is no longer watched.
    var isLeft: Bool { leave?.isOver ?? false }

    /// No longer watches it; what is left to tell.
    mutating func left(with findings: [LiveFinding] = []) -> WatchStep {
        leave?.isOver = true
        state = nil
        (checks, hints, parts, probes) = (SegmentChecks(), HintChecks(), PartLoads(), BlockingProbes())
        return WatchStep(findings: findings)
    }

    /// Looks whether a playlist that is listed no longer goes on.
    ///
    /// It may stop a little later: as long as a new segment may take, one and a half target durations (RFC 8216bis, 6.2.1).
    mutating func goesOn(_ answer: WatchAnswer) -> [Breach] {
        guard let leave, let playlist = state?.playlist else { return [] }
        let target = max(playlist.target, beat)
        guard answer.began > leave.at + .seconds(1.5 * target) || playlist.hasEndList else { return [] }
        guard let sequence = leave.sequence else {
            self.leave?.sequence = playlist.nextSequence
            if playlist.hasEndList { self.leave?.isOver = true }
            return []
        }
        let isNew = playlist.nextSequence > sequence
        guard isNew || playlist.hasEndList || (answer.ended - leave.at).seconds > 3 * target else {
            return []
        }
        self.leave?.isOver = true
        guard isNew, !leave.isMoved, !playlist.hasEndList else { return [] }
        let text = "it goes on, and the multivariant playlist lists it no longer"
        return [Breach(LiveRules.listed, text, segment: playlist.nextSequence - 1)]
    }
}
