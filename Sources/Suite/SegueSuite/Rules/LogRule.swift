package import SegueBase
internal import SegueComparison
package import SegueEvents

/// A rule that a case's log must keep.
package struct LogRule: Sendable, Equatable {
    /// What a rule asks for.
    package enum Demand: Sendable, Equatable {
        /// No event matches. The first that does is the finding: what follows it is mostly its consequence.
        case forbid(EventMatch)
        /// At least one event matches.
        case require(EventMatch)
        /// After the app went to the background, the sound did one of these.
        case background([String])
        /// Metrics are what they must be; one that does not apply is.
        case budget([Budget])
    }

    /// The rule's name in findings.
    package let id: String

    /// What it asks for and why, in a sentence.
    package let about: String

    /// What it asks for.
    package let demand: Demand

    /// The cases that it holds for.
    package let scope: CaseScope

    /// How many times faster than the stream's peak the network must be for the rule to hold; nil means that it always
    /// does.
    package let headroom: Rational?

    /// Whether the rule holds for a case.
    ///
    /// - Parameters:
    ///   - headroom: How many times faster than the stream's peak its network is; infinite where nothing is known.
    ///   - tags: The tags of the case's title; files have none.
    /// - Returns: Whether it is to be asked about the case.
    package func holds(for name: CaseName, headroom: Double = .infinity, tags: [String] = []) -> Bool {
        guard self.headroom.map({ headroom >= $0.seconds }) ?? true else { return false }
        return scope.holds(for: name, tags: tags)
    }

    /// What a log breaks of the rule.
    ///
    /// - Parameters:
    ///   - background: What became of the sound in the background; nil where the scenario has none.
    /// - Returns: Nil when the rule is kept.
    package func finding(in log: EventLog, background: String?, metrics: CaseMetrics = CaseMetrics()) -> Finding? {
        func first(_ match: EventMatch) -> Event? {
            log.events.first { match.matches($0) }
        }
        switch demand {
        case .forbid(let match):
            guard let event = first(match) else { return nil }
            let place = FindingEvidence.Place(event: event.kind.name)
            return Finding(rule: id, message: event.story, at: event.at.seconds, FindingEvidence(at: place))
        case .require(let match):
            guard first(match) == nil else { return nil }
            let evidence = FindingEvidence(
                at: .init(event: "\(match)"),
                measured: .number(0),
                expected: .word(">= 1"),
                unit: "events"
            )
            return Finding(rule: id, message: "no event matches \(match)", at: log.events.last?.at.seconds, evidence)
        case .background(let allowed):
            guard let background, !allowed.contains(background) else { return nil }
            return backgroundFinding(background, allowed, in: log)
        case .budget(let budgets):
            let broken = budgets.compactMap { $0.finding(in: metrics) }
            guard let first = broken.first else { return nil }
            return Finding(rule: id, message: broken.map(\.message).joined(separator: "; "), first.evidence)
        }
    }

    private func backgroundFinding(_ background: String, _ allowed: [String], in log: EventLog) -> Finding {
        var message = "in the background the audio is \(background), must be \(allowed.joined(separator: " or "))"
        // The app's own reason explains a finding that the platform is not to blame for.
        for case .appDecided(let policy, "nothing", let reason) in log.events.lazy.map(\.kind) {
            message += "; \(policy) did nothing: \(reason)"
            break
        }
        return Finding(
            rule: id,
            message: message,
            FindingEvidence(
                at: .init(phase: "background"),
                measured: .word(background),
                expected: .word(allowed.joined(separator: " or "))
            )
        )
    }
}
