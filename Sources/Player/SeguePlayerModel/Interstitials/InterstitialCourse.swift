internal import SegueBase
internal import SeguePlaylists

/// Which interstitials of the current item are still to be played, and the one that is under way.
///
/// An item's playhead that comes to where one begins finds it. One that it gets past otherwise, or begins behind, is not
/// played, unless it takes the place of what is there (RFC 8216bis, D.5), or must not be jumped over (D.2).
struct InterstitialCourse: Sendable {
    /// The item that it is about; nil for none.
    private var item: ItemID?

    /// Those that the item's playhead has been held against.
    private var seen: Set<String> = []

    /// Those that are not played where the playhead comes by.
    private var passed: Set<String> = []

    /// Those that were played.
    private var played: Set<String> = []

    /// The one that is loaded or played.
    var present: InterstitialBreak?

    /// The one before, and where the item went on, or would have.
    private var last: (scheduled: ScheduledInterstitial, resumed: Duration)?

    /// Assets that were played, or were to be, with their logs.
    private(set) var finished: [PlayerItem] = []

    /// Every asset there was, with its logs.
    var all: [PlayerItem] { finished + (present?.items ?? []) }

    /// Whether the item has stopped for one.
    var isOn: Bool { present?.isOn == true }

    /// Changes the asset whose turn it is.
    mutating func changeAsset<Result>(
        _ playhead: inout Playhead,
        _ turn: inout Turn,
        _ body: (inout PlayerItem, inout Playhead, inout Turn) -> Result
    ) -> Result? {
        guard present?.items.isEmpty == false else { return nil }
        // The app knows nothing of assets.
        let count = turn.notices.count
        defer { turn.notices.removeSubrange(count...) }
        return present?.change(&playhead, &turn, body)
    }

    /// Changes every asset that is at hand.
    mutating func changeAssets(_ change: (inout PlayerItem) -> Void) {
        for index in present?.items.indices ?? 0..<0 {
            if var asset = present?.items[index] {
                change(&asset)
                present?.items[index] = asset
            }
        }
    }

    // MARK: What is to be played

    /// Takes in what is scheduled of an item that stands at a position.
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

    /// The first of those that are to be played where an item stands: in the order of time, then of the playlist.
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

    /// The next one that a playhead comes to which runs from a position on; that after the item for one that has none.
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

    /// Where offsets of one count from for an item that stands at a position: behind another one of the same time, where
    /// that went on.
    func base(of scheduled: ScheduledInterstitial, at position: Duration) -> Duration {
        guard scheduled.interstitial.cue == .date else { return position }
        if let last, last.resumed == position, last.scheduled.isAtTime(of: scheduled) { return position }
        return min(scheduled.start, position)
    }

    // MARK: What became of them

    /// The playhead has been moved; what must not be jumped over is played where it is now.
    mutating func moved(_ scheduled: [ScheduledInterstitial], from former: Duration, to position: Duration) {
        var owed: ScheduledInterstitial?
        for entry in scheduled {
            let isBehind = entry.interstitial.cue == .date && entry.start < position
            if position < former, !isBehind || entry.covers(position), entry.interstitial.cue != .before,
                !(entry.interstitial.isOnce && played.contains(entry.id))
            {
                // Who goes back sees it again.
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
        // Of several, the last one is enough.
        if let owed { passed.remove(owed.id) }
    }

    /// The one that is under way is over, and the item goes on at a position.
    mutating func end(_ scheduled: [ScheduledInterstitial], resumed position: Duration) {
        guard let ended = present else { return }
        present = nil
        finished += ended.items
        guard ended.isOn else { return }
        passed.insert(ended.scheduled.id)
        if !ended.hasFailed { played.insert(ended.scheduled.id) }
        last = (ended.scheduled, position)
        for entry in scheduled where entry.interstitial.cue == .date && entry.start < position {
            if !entry.covers(position), !entry.isAtTime(of: ended.scheduled) { passed.insert(entry.id) }
        }
    }

    /// An asset whose turn has not come is passed over.
    mutating func drop(asset index: Int, _ turn: inout Turn) {
        guard var asset = present?.items.remove(at: index) else { return }
        asset.stop(&turn)
        asset.close(.removal, &turn)
        finished.append(asset)
    }

    /// The asset whose turn it was is over.
    mutating func endAsset() {
        guard let asset = present?.items.first else { return }
        present?.items.removeFirst()
        finished.append(asset)
    }
}

extension ScheduledInterstitial {
    /// Whether it is scheduled for the same time as another one.
    fileprivate func isAtTime(of other: ScheduledInterstitial) -> Bool {
        interstitial.cue == other.interstitial.cue && (interstitial.cue != .date || start == other.start)
    }
}

extension InterstitialBreak {
    fileprivate mutating func change<Result>(
        _ playhead: inout Playhead,
        _ turn: inout Turn,
        _ body: (inout PlayerItem, inout Playhead, inout Turn) -> Result
    ) -> Result {
        body(&items[0], &playhead, &turn)
    }
}
