internal import SegueBase

/// States that are violations when they last too long.
extension RequirementChecker {
    /// True if something prevents playback.
    var isHindered: Bool {
        guard !app.isInterrupted, !app.isGone else { return true }
        guard let current = items.current else { return !context.refills }
        if items.lost.contains(current), !context.refills { return true }
        return !items.likely.contains(current) && storms.isLoading && !items.failed.contains(current)
    }

    /// Records the present states.
    mutating func look(at now: Instant) {
        let (mood, item) = (wish.mood, heard.item)
        // Whether an app with several players is silent is judged by the first.
        let isSilent = !context.isFollower && mood == .audio && item == nil && !isHindered && !isScanning
        note(.silent, isSilent && !app.isInBackground, at: now)
        note(.background, isSilent && app.isInBackground, at: now)
        note(.unwished, mood == .silence && item != nil, at: now)
        note(.rate, item != nil && rateSet > 0 && wish.rate.map { abs($0 - rateSet) > 0.001 } ?? false, at: now)
        note(.task, app.tasks > 0 && (item != nil || !app.isInBackground && mood == .silence), at: now)
        // An interstitial may precede the position of the seek.
        note(.lostSeek, wish.seek != nil && item.map { !items.assets.contains($0) } ?? false, at: now)
        note(.order, item.map { order.isWrong($0) != nil } ?? false, at: now)
    }

    private mutating func note(_ rule: BrokenRule.Rule, _ isSo: Bool, at now: Instant) {
        if !isSo { since[rule] = nil } else if since[rule] == nil { since[rule] = now }
    }

    /// Reports states that have lasted too long at an instant.
    mutating func watch(until now: Instant) {
        let message = "no audio for \(Self.patience.words), although the user wants playback and nothing prevents it"
        let cause = app.misdeclaration.map { "; \($0)" } ?? ""
        for (rule, limit, message) in [
            (.silent, Self.patience, message + cause),
            (.background, Self.patience, message + ", in the background" + cause),
            (.unwished, Self.tolerance, "\(heard.item ?? "something") is playing, although the user expects silence"),
            (.rate, Self.tolerance, "audio is playing at rate \(number(rateSet)), expected \(number(wish.rate ?? 1))"),
            (.task, Self.taskLimit, "a background task was held for \(Self.taskLimit.words) without need"),
        ] as [(BrokenRule.Rule, Duration, String)] {
            guard let began = start(of: rule, within: limit), now - began >= limit else { continue }
            find(rule, message, at: began + limit)
        }
        if let expired = app.expiredAt, now - expired >= Self.tolerance {
            app.expiredAt = nil
            find(.task, "a background task was still held after its time limit", at: expired + Self.tolerance)
        }
        if let target = wish.seek, let item = heard.item, let began = since[.lostSeek], now - began >= Self.seekLimit {
            loseSeek(to: target, in: item, at: began + Self.seekLimit)
        }
        if let item = heard.item, let wrong = order.isWrong(item), let began = since[.order],
            now - began >= Self.orderLimit
        {
            let wanted = wrong.wanted.map { "\($0 + 1)" }.joined(separator: " or ")
            let message = "title \(wrong.heard + 1) of the list is playing, expected title \(wanted)"
            find(.order, message, at: began + Self.orderLimit)
        }
    }

    /// Returns the instant since which a state lasts; silence ends where another player of the app is audible.
    private mutating func start(of rule: BrokenRule.Rule, within limit: Duration) -> Instant? {
        while let began = since[rule], [.silent, .background].contains(rule),
            let other = context.audibleElsewhere.first(where: {
                $0.lowerBound <= began + limit && $0.upperBound > began
            })
        {
            since[rule] = other.upperBound
        }
        return since[rule]
    }

    /// Reports a seek without effect, unless it led to the end, after which nothing is heard.
    private mutating func loseSeek(to target: Duration, in item: String, at now: Instant) {
        wish.seek = nil
        guard let end = items.durations[item], target + Self.slack < end else { return }
        let (place, wanted) = (heard.position(at: now).words, target.words)
        find(.lostSeek, "\(item) is playing at \(place), expected \(wanted) after the user's seek", at: now)
    }

    /// Returns whether two positions are equal within the precision of a seek.
    func isNear(_ place: Duration, _ other: Duration) -> Bool {
        max(place - other, other - place) <= Self.slack
    }

    private func number(_ value: Double) -> String { DecimalText.short(value, places: 3) }
}

extension Duration {
    /// The duration in seconds, with its unit.
    var words: String { DecimalText.short(seconds, places: 3) + " s" }
}
