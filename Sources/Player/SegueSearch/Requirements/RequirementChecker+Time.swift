internal import SegueBase

/// States that are violations when they last too long.
extension RequirementChecker {
    /// Whether something prevents playback.
    var isHindered: Bool {
        guard !isInterrupted, !isGone else { return true }
        guard let current else { return !refills }
        if lost.contains(current), !refills { return true }
        return !likely.contains(current) && !underway.isEmpty && !failed.contains(current)
    }

    /// Records the present states.
    mutating func look(at now: Instant) {
        let isSilent = mood == .sound && sounding == nil && !isHindered && !isScanning
        note(.silent, isSilent && !isInBackground, at: now)
        note(.background, isSilent && isInBackground, at: now)
        note(.unwished, mood == .silence && sounding != nil, at: now)
        note(.rate, sounding != nil && rateSet > 0 && rateWished.map { abs($0 - rateSet) > 0.001 } ?? false, at: now)
        note(.task, tasks > 0 && (sounding != nil || !isInBackground && mood == .silence), at: now)
        // An interstitial may precede the position of the seek.
        note(.lostSeek, seek != nil && sounding.map { !assets.contains($0) } ?? false, at: now)
        note(.order, sounding.map { order.isWrong($0) != nil } ?? false, at: now)
    }

    private mutating func note(_ rule: BrokenRule.Rule, _ isSo: Bool, at now: Instant) {
        if !isSo { since[rule] = nil } else if since[rule] == nil { since[rule] = now }
    }

    /// Reports states that have lasted too long at an instant.
    mutating func watch(until now: Instant) {
        let silence = "no audio for \(text(Self.patience)), although the user wants playback and nothing prevents it"
        for (rule, limit, message) in [
            (.silent, Self.patience, silence),
            (.background, Self.patience, silence + ", in the background"),
            (.unwished, Self.tolerance, "\(sounding ?? "something") is playing, although the user expects silence"),
            (.rate, Self.tolerance, "audio is playing at rate \(number(rateSet)), expected \(number(rateWished ?? 1))"),
            (.task, Self.taskLimit, "a background task was held for \(text(Self.taskLimit)) without need"),
        ] as [(BrokenRule.Rule, Duration, String)] {
            guard let began = since[rule], now - began >= limit else { continue }
            find(rule, message, at: began + limit)
        }
        if let expired = expiredAt, now - expired >= Self.tolerance {
            expiredAt = nil
            find(.task, "a background task was still held after its time limit", at: expired + Self.tolerance)
        }
        if let target = seek, let item = sounding, let began = since[.lostSeek], now - began >= Self.seekLimit {
            loseSeek(to: target, in: item, at: began + Self.seekLimit)
        }
        if let item = sounding, let wrong = order.isWrong(item), let began = since[.order],
            now - began >= Self.orderLimit
        {
            let wanted = wrong.wanted.map { "\($0 + 1)" }.joined(separator: " or ")
            let message = "title \(wrong.heard + 1) of the list is playing, expected title \(wanted)"
            find(.order, message, at: began + Self.orderLimit)
        }
    }

    /// Reports a seek without effect, unless it led to the end, after which nothing is heard.
    private mutating func loseSeek(to target: Duration, in item: String, at now: Instant) {
        seek = nil
        guard let end = durations[item], target + Self.slack < end else { return }
        let place = soundPlace + (now - soundBegan) * rate
        find(.lostSeek, "\(item) is playing at \(text(place)), expected \(text(target)) after the user's seek", at: now)
    }

    /// Whether two positions are equal within the precision of a seek.
    func isNear(_ place: Duration, _ other: Duration) -> Bool {
        max(place - other, other - place) <= Self.slack
    }

    func text(_ time: Duration) -> String { number(time.seconds) + " s" }

    private func number(_ value: Double) -> String { DecimalText.short(value, places: 3) }
}
