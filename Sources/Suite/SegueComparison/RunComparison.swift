/// How two runs of a suite differ, case by case.
///
/// It is handed the cases in pairs, in any order, and keeps only what differs.
package struct RunComparison: Sendable, Equatable {
    /// A case that became another one's.
    package struct Change: Sendable, Equatable {
        /// Which case.
        package var name: RecordedCase.Name
        /// What became of it before; nil where it was not there.
        package var was: RecordedCase.Verdict?
        /// What became of it now; nil where it is not there any more.
        package var verdict: RecordedCase.Verdict?
        /// What was found: now what was not found before; where it is mended or gone, what was found then.
        package var findings: [RecordedCase.Finding] = []
        /// The metric that is worse or better; nil where the verdict is what changed.
        package var metric: MetricChange?
    }

    /// A metric that differs by more than it wanders.
    package struct MetricChange: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// Before and now.
        package var before: RecordedMetric
        package var after: RecordedMetric
        /// How large the difference must be to count, in the metric's unit; 0 for a word.
        package var tolerance: Double
    }

    /// Cases that fail and did not, or that fail for what was not found before.
    package private(set) var new: [Change] = []
    /// Cases that failed and pass.
    package private(set) var mended: [Change] = []
    /// Metrics that are worse, and cases that are not judged any more.
    package private(set) var worse: [Change] = []
    /// Metrics that are better, and cases that are judged now.
    package private(set) var better: [Change] = []
    /// Cases that are not there any more, and that were not there before.
    package private(set) var gone: [Change] = []
    package private(set) var added: [Change] = []
    /// Cases whose defects have become known issues.
    package private(set) var excused: [Change] = []
    /// How many cases are as they were.
    package private(set) var unchanged = 0
    /// How many cases fail as they did.
    package private(set) var stillFailing = 0

    /// Nothing was compared yet.
    package init() {}

    /// Whether something is new or worse.
    package var isWorse: Bool { !new.isEmpty || !worse.isEmpty }

    /// Adds a case that is exactly as it was.
    package mutating func addUnchanged(isFailing: Bool) {
        unchanged += 1
        if isFailing { stillFailing += 1 }
    }

    /// Adds a case that was not there before.
    package mutating func add(onlyNew now: RecordedCase) {
        let change = Change(name: now.name, was: nil, verdict: now.verdict, findings: now.findings)
        added.append(change)
        if now.verdict.isBad { new.append(change) }
    }

    /// Adds a case that is not there any more.
    package mutating func add(onlyOld was: RecordedCase) {
        gone.append(Change(name: was.name, was: was.verdict, verdict: nil, findings: was.findings))
    }

    /// Adds a case of both runs.
    ///
    /// - Parameters:
    ///   - past: The figures of a metric in the case's last good runs; asked only where it matters.
    package mutating func add(
        _ was: RecordedCase,
        _ now: RecordedCase,
        past: (String) throws -> [Double]
    ) rethrows {
        let isChanged = try addVerdict(was, now) || addMetrics(was, now, past)
        if !isChanged { addUnchanged(isFailing: now.verdict.isBad) }
    }

    /// Adds a case of both runs, of whose metrics nothing else is known.
    package mutating func add(_ was: RecordedCase, _ now: RecordedCase) { add(was, now) { _ in [] } }

    /// Whether the verdicts, or what was found, tell a difference.
    private mutating func addVerdict(_ was: RecordedCase, _ now: RecordedCase) -> Bool {
        var change = Change(name: now.name, was: was.verdict, verdict: now.verdict, findings: now.findings)
        switch (was.verdict, now.verdict) {
        case (.fail, .fail), (.broken, .broken):
            let before = Set(was.findings.map(\.shape))
            change.findings = now.findings.filter { !before.contains($0.shape) }
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

    /// Whether a metric tells a difference; only of a case that was played both times.
    private mutating func addMetrics(_ was: RecordedCase, _ now: RecordedCase, _ past: (String) throws -> [Double])
        rethrows -> Bool
    {
        var isChanged = false
        for (name, after) in now.metrics.sorted(by: { $0.key < $1.key }) {
            guard let before = was.metrics[name], before != after else { continue }
            let change = try Self.change(name, before, after, past)
            guard change.way != 0 else { continue }
            isChanged = true
            let told = Change(name: now.name, was: was.verdict, verdict: now.verdict, metric: change.told)
            if change.way > 0 { worse.append(told) } else { better.append(told) }
        }
        return isChanged
    }

    private static func change(
        _ name: String,
        _ before: RecordedMetric,
        _ after: RecordedMetric,
        _ past: (String) throws -> [Double]
    ) rethrows -> (way: Int, told: MetricChange) {
        var told = MetricChange(name: name, before: before, after: after, tolerance: 0)
        switch (before, after) {
        case (.number(let before), .number(let after)):
            guard let meaning = MetricMeaning.of(name), meaning.change(from: before, to: after, MetricSpread([])) != 0
            else { return (0, told) }
            let spread = MetricSpread(try past(name))
            told.tolerance = meaning.tolerance(from: before, spread)
            return (meaning.change(from: before, to: after, spread), told)
        case (.word(let before), .word(let after)):
            let order = MetricMeaning.backgrounds
            guard let was = order.firstIndex(of: before), let now = order.firstIndex(of: after) else {
                return (0, told)
            }
            return ((now - was).signum(), told)
        default: return (0, told)
        }
    }
}
