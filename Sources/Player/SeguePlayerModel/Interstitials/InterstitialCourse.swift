internal import SegueBase
internal import SeguePlaylists

/// The progress through the current item's interstitials.
///
/// An interstitial plays when the playhead runs to its start. One that the playhead passes in another way, or starts
/// behind, does not play, unless it replaces the content at the playhead (RFC 8216bis, D.5), or must not be jumped over
/// (D.2).
struct InterstitialCourse: Sendable {
    private var item: ItemID?

    /// The interstitials that were compared with the playhead.
    private var seen: Set<String> = []

    /// The interstitials that do not play when the playhead runs to them.
    private var passed: Set<String> = []

    /// The interstitials that were played.
    private var played: Set<String> = []

    /// The previous one, and the position at which the item continued or would have.
    private var last: (scheduled: ScheduledInterstitial, resumed: Duration)?

    // MARK: Due interstitials

    /// Updates the schedule of an item at a position.
    mutating func look(_ scheduled: [ScheduledInterstitial], of item: ItemID, at position: Duration, hasBegun: Bool) {
        if self.item != item { (self.item, seen, passed, played, last) = (item, [], [], [], nil) }
        for entry in scheduled where seen.insert(entry.id).inserted {
            switch entry.interstitial.cue {
            case .before: if hasBegun { passed.insert(entry.id) }
            case .after: break
            case .date: if entry.start < position, !entry.covers(position) { passed.insert(entry.id) }
            }
        }
    }

    /// Returns the first due interstitial at a position, in order of time, then of the playlist.
    func due(_ scheduled: [ScheduledInterstitial], at position: Duration, isAtEnd: Bool) -> ScheduledInterstitial? {
        var first: ScheduledInterstitial?
        for entry in scheduled where !passed.contains(entry.id) {
            switch entry.interstitial.cue {
            case .before: return entry
            case .after: if first == nil, isAtEnd { first = entry }
            case .date:
                guard entry.start <= position else { continue }
                if let former = first, former.interstitial.cue == .date, former.start <= entry.start { continue }
                first = entry
            }
        }
        return first
    }

    /// Returns the next interstitial that the playhead runs to from a position on; for an item with none, the one after
    /// it.
    func next(_ scheduled: [ScheduledInterstitial], after position: Duration) -> ScheduledInterstitial? {
        var first: ScheduledInterstitial?
        for entry in scheduled where !passed.contains(entry.id) && entry.interstitial.cue != .before {
            guard let former = first else {
                if entry.interstitial.cue == .after || entry.start >= position { first = entry }
                continue
            }
            guard entry.interstitial.cue == .date, entry.start >= position else { continue }
            if former.interstitial.cue == .after || entry.start < former.start { first = entry }
        }
        return first
    }

    /// Returns the origin of an interstitial's offsets: the position at which the item continued after the previous one
    /// of the same time, if any.
    func base(of scheduled: ScheduledInterstitial, at position: Duration) -> Duration {
        guard scheduled.interstitial.cue == .date else { return position }
        if let last, last.resumed == position, last.scheduled.isAtTime(of: scheduled) { return position }
        return min(scheduled.start, position)
    }

    // MARK: Outcomes

    /// Handles a moved playhead.
    ///
    /// An interstitial that must not be jumped over plays at the new position.
    mutating func moved(_ scheduled: [ScheduledInterstitial], from former: Duration, to position: Duration) {
        var owed: ScheduledInterstitial?
        for entry in scheduled {
            let isBehind = entry.interstitial.cue == .date && entry.start < position
            if position < former, !isBehind || entry.covers(position), entry.interstitial.cue != .before,
                !(entry.interstitial.isOnce && played.contains(entry.id))
            {
                // A jump back makes it eligible again.
                passed.remove(entry.id)
            }
            guard isBehind, !entry.covers(position) else { continue }
            if entry.interstitial.restrictsJumping, entry.start >= former, !played.contains(entry.id),
                !passed.contains(entry.id), entry.start >= owed?.start ?? entry.start
            {
                owed = entry
            }
            passed.insert(entry.id)
        }
        // Of several, the last one suffices.
        if let owed { passed.remove(owed.id) }
    }

    /// Handles the end of an interstitial that the item had stopped for.
    ///
    /// The item continues at a position.
    mutating func end(_ ended: InterstitialBreak, among scheduled: [ScheduledInterstitial], resumed position: Duration)
    {
        passed.insert(ended.scheduled.id)
        if !ended.hasFailed { played.insert(ended.scheduled.id) }
        last = (ended.scheduled, position)
        for entry in scheduled where entry.interstitial.cue == .date && entry.start < position {
            if !entry.covers(position), !entry.isAtTime(of: ended.scheduled) { passed.insert(entry.id) }
        }
    }
}

extension ScheduledInterstitial {
    /// Returns whether it is scheduled for the same time as another one.
    fileprivate func isAtTime(of other: ScheduledInterstitial) -> Bool {
        interstitial.cue == other.interstitial.cue && (interstitial.cue != .date || start == other.start)
    }
}
