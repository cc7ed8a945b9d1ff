extension RunTimeline {
    /// The part of the run that deserves a closer look; nil where the whole shows it well enough.
    package var closerLook: ClosedRange<Double>? { CloserLook(run: self).window }
}

/// The choice of the part of a run that is drawn at a larger scale.
private struct CloserLook {
    let run: RunTimeline

    /// The subject of the first finding, otherwise the first failure, otherwise the first time that the user leaves.
    var window: ClosedRange<Double>? {
        for finding in run.findings {
            if let moment = moment(of: finding) { return window(around: moment) }
        }
        let left = run.phases.first { $0.label == "leaving" }?.from
        let moment = refused ?? run.items.compactMap(\.failed).min() ?? stall?.lowerBound ?? left
        return moment.flatMap { window(around: span(from: $0)) }
    }

    /// A stretch of time with its context; nil where that is most of the run.
    private func window(around moment: ClosedRange<Double>) -> ClosedRange<Double>? {
        let left = run.phases.last { $0.label == "leaving" && $0.from <= moment.lowerBound }?.from
        let decision = run.marks.last { $0.weight == .decision && $0.at <= moment.lowerBound }?.at
        let before = [left, decision].compactMap(\.self).filter { moment.lowerBound - $0 < 6 }
        let from = max(0, (before + [moment.lowerBound]).reduce(moment.lowerBound, min) - 0.4)
        let length = moment.upperBound - moment.lowerBound
        let until = min(run.end, max(moment.upperBound + 0.6 + length / 10, moment.lowerBound + 1))
        guard until > from, until - from < 0.35 * run.end else { return nil }
        return from...until
    }

    // MARK: Moments

    /// The time of what a finding is about; nil for the whole run, and for subjects that the timeline does not show.
    private func moment(of finding: RunTimeline.Finding) -> ClosedRange<Double>? {
        switch finding.subject {
        // A log records the time of a finding, but not its subject.
        case nil: finding.at < run.end - 0.0005 ? span(from: finding.at) : nil
        case .moment: span(from: finding.at)
        case .position(let position): time(ofPosition: position).map { $0...$0 }
        case .start: run.silences.first { $0.label == "start" }.map { $0.from...$0.to }
        case .stall: stall
        case .silence: longest(run.silences.filter { $0.label == "silence" })
        case .error: run.marks.first { $0.weight == .error }.map { span(from: $0.at) }
        case .slowestRequest:
            longest(run.requests.map { RunTimeline.Span(from: $0.from, to: $0.answered ?? $0.to, label: "") })
        case .background: backgroundSilence
        case .ending: lastMoment
        }
    }

    /// The time from a moment until playback resumes, or one second.
    private func span(from at: Double) -> ClosedRange<Double> {
        guard let again = run.played.first(where: { $0.from >= at })?.from, again - at < 8 else { return at...at + 1 }
        return at...again
    }

    /// The time at which the platform rejected an item.
    private var refused: Double? { run.marks.first { $0.kind == .rejection }?.at }

    /// The longest stall, until playback resumed.
    private var stall: ClosedRange<Double>? {
        let stalls = run.marks.filter { $0.kind == .stall }
        return longest(
            stalls.map { mark in
                RunTimeline.Span(from: mark.at, to: run.played.first { $0.from >= mark.at }?.from ?? run.end, label: "")
            }
        )
    }

    /// The rejection or the first silence after the user left, otherwise the moment of leaving.
    private var backgroundSilence: ClosedRange<Double>? {
        guard let left = run.phases.first(where: { $0.label == "leaving" || $0.label == "background" })?.from else {
            return nil
        }
        if let refused, refused >= left { return span(from: refused) }
        let silence = run.silences.first { $0.label == "silence" && $0.to > left }
        let at = max(left, silence?.from ?? left)
        // A long silence is drawn from its beginning.
        return at...min(silence?.to ?? at + 1, at + 8)
    }

    /// The last event before the end of the run, after which an expected event is missing.
    private var lastMoment: ClosedRange<Double>? {
        if let error = run.marks.first(where: { $0.weight == .error && $0.at < run.end - 0.0005 })?.at {
            return span(from: error)
        }
        guard let last = run.played.last?.to, last < run.end else { return nil }
        return last...min(run.end, last + 1)
    }

    private func longest(_ spans: [RunTimeline.Span]) -> ClosedRange<Double>? {
        spans.max { $0.to - $0.from < $1.to - $1.from }.map { $0.from...max($0.from, $0.to) }
    }

    /// The time at which a position in the item was first played.
    private func time(ofPosition position: Double) -> Double? {
        guard let stretch = run.played.first(where: { $0.start <= position && position <= $0.end }) else { return nil }
        let share = stretch.end > stretch.start ? (position - stretch.start) / (stretch.end - stretch.start) : 0
        return stretch.from + share * (stretch.to - stretch.from)
    }
}
