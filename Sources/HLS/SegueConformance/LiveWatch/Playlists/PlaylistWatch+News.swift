internal import SegueBase
internal import SeguePlaylists

/// When there is news, and when there is none.
extension PlaylistWatch {
    /// Nothing is new.
    mutating func unchanged(_ former: PlaylistState, _ answer: WatchAnswer, _ breaches: inout [Breach]) {
        state?.began = answer.began
        state?.ended = answer.ended
        if mark != nil { state?.isOfDelta = false }
        guard let newsAt, !former.playlist.hasEndList else { return }
        stale(for: (answer.began - newsAt).seconds, former.playlist.target, &breaches)
    }

    /// Names a playlist that has had no news for so long, and again when that has doubled.
    mutating func stale(for seconds: Double, _ target: Double, _ breaches: inout [Breach]) {
        let target = max(target, beat)
        figures.staleSeconds = max(0, seconds)
        guard seconds > (toldAge.map { $0 * 2 } ?? 1.5 * target) else { return }
        toldAge = seconds
        breaches.append(
            Breach(LiveRules.news, "no new segment for \(words(seconds)); the target duration is \(Int(target))")
        )
    }

    /// There are new segments or parts.
    mutating func news(
        _ former: PlaylistState,
        _ playlist: MediaPlaylist,
        _ count: Int,
        _ answer: WatchAnswer,
        _ asked: Directives,
        _ breaches: inout [Breach]
    ) {
        // It was not there yet when the former was asked for; a server that held its answer had it at the end.
        let held = asked.sequence == nil ? former.began : max(former.began, answer.ended + .seconds(-Self.transfer))
        if count > 0 {
            let gap = newsAt.map { (held - $0).seconds } ?? 0
            if gap > 1.5 * max(playlist.target, beat) {
                breaches.append(
                    Breach(LiveRules.news, "a new segment came after \(words(gap))", segment: playlist.nextSequence - 1)
                )
            }
            (newsAt, toldAge) = (answer.ended, nil)
            figures.staleSeconds = 0
        } else if let newsAt, !playlist.hasEndList {
            stale(for: (held - newsAt).seconds, playlist.target, &breaches)
        }
        guard let target = playlist.partTarget?.seconds, !playlist.hasEndList else { return }
        let isNew = count > 0 || playlist.openParts.count > former.playlist.openParts.count
        guard isNew else { return }
        if let partsAt {
            let gap = (held - partsAt).seconds
            if gap > target + Self.transfer {
                breaches.append(
                    Breach(
                        LiveRules.partNews,
                        "a new part came after \(words(gap)); the part target is \(words(target))"
                    )
                )
            }
            figures.partGap = max(figures.partGap ?? 0, gap)
            if let back = playlist.serverControl?.partHoldBack?.seconds, gap > back {
                breaches.append(Breach(LiveRules.holdBack, "two parts came \(words(gap)) apart; it is \(words(back))"))
            }
        }
        partsAt = answer.ended
    }

    /// What an answer may take on its way, in seconds.
    static let transfer = 0.5
}
