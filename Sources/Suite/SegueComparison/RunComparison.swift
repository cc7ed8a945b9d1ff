/// The differences between two runs of a suite.
///
/// It receives pairs of cases in any order and stores only those that differ.
package struct RunComparison: Sendable, Equatable {
    /// A difference in one case.
    package struct Change: Sendable, Equatable {
        package var name: CaseName
        /// The verdict before; nil for a new case.
        package var was: Verdict?
        /// The verdict now; nil for a removed case.
        package var verdict: Verdict?
        /// The new findings; for a fixed or removed case, the old ones.
        package var findings: [RecordedCase.Finding] = []
        /// The metric that is worse or better; nil where the verdict changed.
        package var metric: MetricChange?
        /// The app policy before, if it was another release of the app.
        package var formerApp: String?
    }

    /// A metric with a difference above its tolerance.
    package struct MetricChange: Sendable, Equatable {
        package var name: String
        package var before: RecordedMetric
        package var after: RecordedMetric
        /// The smallest difference that counts, in the metric's unit; 0 for a word.
        package var tolerance: Double
    }

    /// Cases that fail now and did not, or fail with new findings.
    package private(set) var new: [Change] = []
    /// Cases that failed and now pass.
    package private(set) var mended: [Change] = []
    /// Worse metrics, and cases that are no longer judged.
    package private(set) var worse: [Change] = []
    /// Better metrics, and cases that are judged for the first time.
    package private(set) var better: [Change] = []
    /// Cases that only the old run has, and cases that only the new run has.
    package private(set) var gone: [Change] = []
    package private(set) var added: [Change] = []
    /// Cases whose findings are now known issues.
    package private(set) var excused: [Change] = []
    /// The number of unchanged cases.
    package private(set) var unchanged = 0
    /// The number of cases that fail as before.
    package private(set) var stillFailing = 0

    package init() {}

    package var isWorse: Bool { !new.isEmpty || !worse.isEmpty }

    /// Adds an unchanged case.
    package mutating func addUnchanged(isFailing: Bool) {
        unchanged += 1
        if isFailing { stillFailing += 1 }
    }

    /// Adds a case that only the new run has.
    package mutating func add(onlyNew now: RecordedCase) {
        let change = Change(name: now.name, was: nil, verdict: now.verdict, findings: now.findings)
        added.append(change)
        if now.verdict.isBad { new.append(change) }
    }

    /// Adds a case that only the old run has.
    package mutating func add(onlyOld was: RecordedCase) {
        gone.append(Change(name: was.name, was: was.verdict, verdict: nil, findings: was.findings))
    }

    /// Adds a case of both runs.
    ///
    /// `past` is the figures of a metric in the last good runs of the case; called only for metrics that differ.
    package mutating func add(
        _ was: RecordedCase,
        _ now: RecordedCase,
        past: (String) throws -> [Double]
    ) rethrows {
        let isChanged = try addVerdict(was, now) || addMetrics(was, now, past: past)
        if !isChanged { addUnchanged(isFailing: now.verdict.isBad) }
    }

    /// Adds a case of both runs without past figures.
    package mutating func add(_ was: RecordedCase, _ now: RecordedCase) { add(was, now) { _ in [] } }

    /// Returns whether the verdicts or the findings differ.
    private mutating func addVerdict(_ was: RecordedCase, _ now: RecordedCase) -> Bool {
        var change = Change(name: now.name, was: was.verdict, verdict: now.verdict, findings: now.findings)
        change.formerApp = was.name.app == now.name.app ? nil : was.name.app
        switch (was.verdict, now.verdict) {
        case (.fail, .fail), (.broken, .broken):
            // A run of an earlier version has no shapes, only texts.
            let before = Set(was.findings.flatMap { [$0.shape, $0.line] })
            change.findings = now.findings.filter { !before.contains($0.shape) && !before.contains($0.line) }
            if change.findings.isEmpty { return false }
            new.append(change)
        case (_, .fail), (_, .broken): new.append(change)
        case (.fail, .known), (.broken, .known), (.pass, .known): excused.append(change)
        case (.fail, .pass), (.broken, .pass), (.known, .pass):
            change.findings = was.findings
            mended.append(change)
        case (.skip, .pass), (.skip, .known): better.append(change)
        case (_, .skip) where was.verdict != .skip: worse.append(change)
        default: return false
        }
        return true
    }

    /// Returns whether a metric differs, for a case that was played in both runs.
    private mutating func addMetrics(
        _ was: RecordedCase,
        _ now: RecordedCase,
        past: (String) throws -> [Double]
    ) rethrows -> Bool {
        var isChanged = false
        for (name, after) in now.metrics.sorted(by: { $0.key < $1.key }) {
            guard let before = was.metrics[name], before != after else { continue }
            let change = try Self.change(of: name, from: before, to: after, past: past)
            guard change.way != 0 else { continue }
            isChanged = true
            var told = Change(name: now.name, was: was.verdict, verdict: now.verdict, metric: change.told)
            told.formerApp = was.name.app == now.name.app ? nil : was.name.app
            if change.way > 0 { worse.append(told) } else { better.append(told) }
        }
        return isChanged
    }

    private static func change(
        of name: String,
        from before: RecordedMetric,
        to after: RecordedMetric,
        past: (String) throws -> [Double]
    ) rethrows -> (way: Int, told: MetricChange) {
        var told = MetricChange(name: name, before: before, after: after, tolerance: 0)
        switch (before, after) {
        case (.number(let before), .number(let after)):
            guard let meaning = MetricDefinition.of(name),
                meaning.change(from: before, to: after, MetricSpread([])) != 0
            else { return (0, told) }
            let spread = MetricSpread(try past(name))
            told.tolerance = meaning.tolerance(from: before, spread)
            return (meaning.change(from: before, to: after, spread), told)
        case (.word(let before), .word(let after)):
            let order = MetricDefinition.backgrounds
            guard let was = order.firstIndex(of: before), let now = order.firstIndex(of: after) else {
                return (0, told)
            }
            return ((now - was).signum(), told)
        default: return (0, told)
        }
    }
}
