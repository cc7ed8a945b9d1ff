extension RunStory {
    /// The time range to magnify: that of the first finding, of the first failure, or of the first switch; nil if the
    /// whole run shows enough detail.
    package var closerLook: ClosedRange<Double>? {
        for finding in findings {
            if let moment = moment(of: finding) { return window(around: moment) }
        }
        let left = phases.first { $0.label == "leaving" }?.from
        let moment = refused ?? items.compactMap(\.failed).min() ?? stall?.lowerBound ?? left
        return moment.flatMap { window(around: span(from: $0)) }
    }

    /// A time range with its surroundings; nil if that is most of the run.
    private func window(around moment: ClosedRange<Double>) -> ClosedRange<Double>? {
        let left = phases.last { $0.label == "leaving" && $0.from <= moment.lowerBound }?.from
        let decision = marks.last { $0.weight == .decision && $0.at <= moment.lowerBound }?.at
        let before = [left, decision].compactMap(\.self).filter { moment.lowerBound - $0 < 6 }
        let from = max(0, (before + [moment.lowerBound]).reduce(moment.lowerBound, min) - 0.4)
        let length = moment.upperBound - moment.lowerBound
        let until = min(end, max(moment.upperBound + 0.6 + length / 10, moment.lowerBound + 1))
        guard until > from, until - from < 0.35 * end else { return nil }
        return from...until
    }

    // MARK: Moments

    /// The time range of a finding; nil if it concerns the whole run or nothing visible.
    ///
    /// Rules are data with arbitrary names, so the text of the finding decides: the event, the position in the item,
    /// the metric, or the background.
    private func moment(of finding: Finding) -> ClosedRange<Double>? {
        let words = finding.message
        if finding.at < end - 0.0005 { return span(from: finding.at) }
        if let place = RunStory.place(in: words), let at = time(ofPlace: place) { return at...at }
        if words.hasPrefix("in the background") { return backgroundSilence }
        if words.hasPrefix("no event matches") || words.hasPrefix("step ") { return lastMoment }
        switch words.prefix(while: { $0 != " " }) {
        case "startup": return silences.first { $0.label == "start" }.map { $0.from...$0.to }
        case "stalls", "stall-seconds", "stall-share": return stall
        case "switch-gap", "silence": return longest(silences.filter { $0.label == "silence" })
        case "errors": return marks.first { $0.weight == .error }.map { span(from: $0.at) }
        case "first-byte": return longest(requests.map { Span(from: $0.from, to: $0.answered ?? $0.to, label: "") })
        default: return nil
        }
    }

    /// The time range from a moment until playback resumed, if that was soon.
    private func span(from at: Double) -> ClosedRange<Double> {
        guard let again = played.first(where: { $0.from >= at })?.from, again - at < 8 else { return at...at + 1 }
        return at...again
    }

    /// The time at which the platform rejected an item.
    private var refused: Double? { marks.first { $0.weight == .error && $0.label.contains("reject") }?.at }

    /// The longest stall, until playback resumed.
    private var stall: ClosedRange<Double>? {
        let stalls = marks.filter { $0.weight == .error && $0.short.contains("stall") }
        return longest(
            stalls.map { mark in
                Span(from: mark.at, to: played.first { $0.from >= mark.at }?.from ?? end, label: "")
            }
        )
    }

    /// The first silence or rejection after the app left the foreground; otherwise the time of leaving.
    private var backgroundSilence: ClosedRange<Double>? {
        guard let left = phases.first(where: { $0.label == "leaving" || $0.label == "background" })?.from else {
            return nil
        }
        if let refused, refused >= left { return span(from: refused) }
        let silence = silences.first { $0.label == "silence" && $0.to > left }
        let at = max(left, silence?.from ?? left)
        // A lasting silence is visible at its beginning.
        return at...min(silence?.to ?? at + 1, at + 8)
    }

    /// The last event before the end of the run: the expected next one did not follow.
    private var lastMoment: ClosedRange<Double>? {
        if let error = marks.first(where: { $0.weight == .error && $0.at < end - 0.0005 })?.at {
            return span(from: error)
        }
        guard let last = played.last?.to, last < end else { return nil }
        return last...min(end, last + 1)
    }

    private func longest(_ spans: [Span]) -> ClosedRange<Double>? {
        spans.max { $0.to - $0.from < $1.to - $1.from }.map { $0.from...max($0.from, $0.to) }
    }

    /// The position in the item that a message names, such as "at 12.34 s" in findings on content.
    private static func place(in message: String) -> Double? {
        let words = message.split(separator: " ")
        for (index, word) in words.enumerated() where word == "at" && index + 2 < words.count {
            guard words[index + 2].hasPrefix("s"), let seconds = Double(words[index + 1]) else { continue }
            if seconds.isFinite, words[index + 2].drop(while: { $0 == "s" }).allSatisfy({ !$0.isLetter }) {
                return seconds
            }
        }
        return nil
    }

    /// The time at which a position in the item was first played.
    private func time(ofPlace place: Double) -> Double? {
        guard let stretch = played.first(where: { $0.start <= place && place <= $0.end }) else { return nil }
        let share = stretch.end > stretch.start ? (place - stretch.start) / (stretch.end - stretch.start) : 0
        return stretch.from + share * (stretch.to - stretch.from)
    }
}
