/// Two runs and their differences, as all output formats show them.
package struct ComparedRuns: Sendable {
    package struct Side: Sendable {
        /// The name of the run: a file, or a number in a history.
        package var title: String
        package var facts: RunFacts
        package var cases: Int

        package init(title: String, facts: RunFacts, cases: Int) {
            self.title = title
            self.facts = facts
            self.cases = cases
        }

        package var words: String {
            [title, facts.words, "\(cases) case\(cases == 1 ? "" : "s")"].filter { !$0.isEmpty }
                .joined(separator: ", ")
        }
    }

    package var old: Side
    package var new: Side
    package var comparison: RunComparison

    package init(old: Side, new: Side, comparison: RunComparison) {
        self.old = old
        self.new = new
        self.comparison = comparison
    }

    /// A line for each app whose release differs: the versions and the policies.
    package var releases: [String] {
        func words(_ release: (key: String, value: AppRelease)) -> String {
            "\(release.value.version) (\(release.key))"
        }
        let apps = Set(old.facts.releases.values.map(\.app)).intersection(new.facts.releases.values.map(\.app))
        return apps.sorted().compactMap { app in
            let sides = [old, new].map { side in
                side.facts.releases.filter { $0.value.app == app }.sorted { $0.key < $1.key }.map(words)
                    .joined(separator: ", ")
            }
            return sides[0] == sides[1] ? nil : "\(app) \(sides[0]) → \(sides[1])"
        }
    }

    /// A summary in one line.
    package var sum: String {
        func cases(_ changes: [RunComparison.Change]) -> Int { Set(changes.map(\.name)).count }
        let counts = [
            (comparison.new.count, "new failure", "new failures"), (cases(comparison.worse), "worse", "worse"),
            (comparison.mended.count, "fixed", "fixed"), (cases(comparison.better), "better", "better"),
            (comparison.excused.count, "now a known issue", "now known issues"),
            (comparison.gone.count, "gone", "gone"), (comparison.added.count, "added", "added"),
        ]
        var parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        let still = comparison.stillFailing > 0 ? ", of which \(comparison.stillFailing) still fail" : ""
        parts.append("\(comparison.unchanged) unchanged\(still)")
        return parts.joined(separator: ", ")
    }

    /// The kinds of changes with their titles, the most important first.
    package var sections: [(title: String, changes: [RunComparison.Change])] {
        [
            ("new failures", comparison.new), ("worse", comparison.worse), ("fixed", comparison.mended),
            ("better", comparison.better), ("now known issues", comparison.excused), ("gone", comparison.gone),
            ("added", comparison.added),
        ].filter { !$0.1.isEmpty }
    }
}

extension RunComparison.Change {
    /// The part of a change that the cause's own line does not show.
    func words(beside cause: ChangeCause) -> String {
        if let metric { return metric.words }
        let message = findings.first?.line
        let own = message == cause.changes.first?.findings.first?.line ? nil : message
        let more = findings.count > 1 ? " (+\(findings.count - 1) more)" : ""
        return [course, own].compactMap(\.self).joined(separator: ", ") + more
    }

    /// The verdicts before and now.
    var course: String {
        switch (was, verdict) {
        case (let was?, let verdict?) where was == verdict: "\(verdict.rawValue), with different findings"
        case (let was?, let verdict?): "\(was.rawValue) → \(verdict.rawValue)"
        case (let was?, nil): "was \(was.rawValue)"
        case (nil, let verdict): verdict?.rawValue ?? ""
        }
    }
}
