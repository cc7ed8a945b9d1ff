internal import SegueBase

/// A cause that explains changes in many cases.
package struct ChangeCause: Sendable, Equatable {
    /// The cause in one line: a rule with its message, or a metric with its change.
    package var title: String
    /// The affected cases, each once, in their order.
    package var changes: [RunComparison.Change]
    /// The names of other metrics that changed in these cases.
    package var also: [String] = []

    /// Groups changes by cause, the most frequent first.
    ///
    /// A case counts for its first finding, or for the first of its metrics in the order of ``MetricDefinition/all``: the
    /// others are mostly consequences.
    package static func of(_ changes: [RunComparison.Change]) -> [ChangeCause] {
        var places: [Key: Int] = [:]
        var causes: [ChangeCause] = []
        // The metrics of a case are adjacent.
        var rest = changes[...]
        while let first = rest.first {
            let own = first.metric == nil ? rest.prefix(1) : rest.prefix { $0.metric != nil && $0.name == first.name }
            rest = rest[own.endIndex...]
            let change = own.min { rank(of: $0) < rank(of: $1) } ?? first
            let key = key(of: change)
            let place = places[key] ?? causes.count
            if place == causes.count {
                places[key] = place
                causes.append(ChangeCause(title: "", changes: []))
            }
            causes[place].changes.append(change)
            for name in own.compactMap(\.metric?.name)
            where name != change.metric?.name && !causes[place].also.contains(name) {
                causes[place].also.append(name)
            }
        }
        for place in causes.indices {
            let also = causes[place].also
            let others = also.isEmpty ? "" : "; also \(also.joined(separator: ", "))"
            causes[place].title = title(of: causes[place].changes) + others
        }
        return causes.enumerated()
            .sorted { ($1.element.changes.count, $0.offset) < ($0.element.changes.count, $1.offset) }
            .map(\.element)
    }

    /// The position of a change's metric in ``MetricDefinition/all``.
    private static func rank(of change: RunComparison.Change) -> Int {
        MetricDefinition.all.firstIndex { $0.name == change.metric?.name } ?? 0
    }

    /// The property that the changes of one cause share.
    private enum Key: Hashable {
        case metric(String)
        case finding(shape: String)
        case verdict(Verdict?)
    }

    private static func key(of change: RunComparison.Change) -> Key {
        if let metric = change.metric { return .metric(metric.name) }
        let isInBoth = change.was != nil && change.verdict != nil
        // A case of one run only has no cause in itself, unless it is new and fails.
        let isNewFailure = change.was == nil && change.verdict?.isBad == true
        if isInBoth || isNewFailure, let finding = change.findings.first { return .finding(shape: finding.shape) }
        return .verdict(isInBoth ? change.verdict : change.was ?? change.verdict)
    }

    private static func title(of changes: [RunComparison.Change]) -> String {
        let first = changes[0]
        if let metric = first.metric { return title(of: metric.name, changes.compactMap(\.metric)) }
        guard case .finding = key(of: first), let finding = first.findings.first else {
            return (first.was ?? first.verdict).map { "verdict \($0.rawValue)" } ?? ""
        }
        let messages = Set(changes.compactMap { $0.findings.first?.message.text })
        let others = messages.count > 1 ? " (and \(messages.count - 1) more with different figures)" : ""
        return "\(finding.line)\(others)"
    }

    /// A metric with the figures of the case with the largest relative change.
    private static func title(of name: String, _ changes: [RunComparison.MetricChange]) -> String {
        func share(_ change: RunComparison.MetricChange) -> Double {
            guard let before = change.before.number, let after = change.after.number else { return 0 }
            return abs(after - before) / max(abs(before), 1e-9)
        }
        let most = changes.max { share($0) < share($1) } ?? changes[0]
        return "\(name): \(most.words)" + (changes.count > 1 ? " in the worst case" : "")
    }

    /// The number of cases and their titles, networks, platforms, scenarios, and apps.
    package var reach: String {
        func names(_ part: (CaseName) -> String, _ noun: String) -> String {
            NameCounts(changes.map { part($0.name) }).words(noun)
        }
        let parts = [
            names(\.file, "titles"), names(\.network, "networks"), names(\.client, "platforms"),
            names(\.scenario, "scenarios"), names(\.app, "apps"),
        ]
        return "\(changes.count) case\(changes.count == 1 ? "" : "s"): " + parts.joined(separator: " · ")
    }
}

extension RunComparison.MetricChange {
    /// The figures before and after.
    package var words: String {
        guard let before = before.number, let after = after.number else {
            return "\(self.before.text) → \(self.after.text)"
        }
        let figures = [before, after].map { MetricDefinition.words($0, of: name) }
        return "\(figures[0]) → \(figures[1])"
    }
}

extension RecordedMetric {
    /// The figure or word as text.
    package var text: String {
        switch self {
        case .number(let number): MetricDefinition.words(number, of: "")
        case .word(let word): word
        }
    }
}
