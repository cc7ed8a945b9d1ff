package import SegueBase
package import SegueComparison
package import SegueEvents

/// A rule for the event log of a case.
package struct LogRule: Sendable, Equatable {
    /// The condition of a rule.
    package enum Demand: Sendable, Equatable {
        /// No event matches.
        ///
        /// The first match is the finding: later ones are mostly consequences.
        case forbid(EventMatch)
        /// At least one event matches.
        case require(EventMatch)
        /// After the app went to the background, the audio did one of these, unless the platform runs no apps there.
        case background([String])
        /// Metrics are within their budgets, or do not apply.
        case budget([Budget])
    }

    /// The rule's name in findings.
    package let id: String

    /// The rule and its reason in a sentence.
    package let about: String

    package let demand: Demand

    package let scope: CaseScope

    /// The minimum ratio of the network's rate to the stream's peak for which the rule applies; nil for any.
    package let headroom: Rational?

    /// Returns whether the rule applies to a case.
    ///
    /// `headroom` is the ratio of the network's rate to the stream's peak; infinite if unknown. `tags` are the tags of
    /// the case's title; files have none.
    package func holds(for name: CaseName, headroom: Double = .infinity, tags: [String] = []) -> Bool {
        guard self.headroom.map({ headroom >= $0.seconds }) ?? true else { return false }
        return scope.holds(for: name, tags: tags)
    }

    /// The violation of the rule by a log; nil if there is none.
    ///
    /// `background` is the fate of the audio in the background; nil if the scenario has no background.
    package func finding(in log: EventLog, background: String?, metrics: CaseMetrics = CaseMetrics()) -> Finding? {
        func first(_ match: EventMatch) -> Event? {
            log.events.first { match.matches($0) }
        }
        switch demand {
        case .forbid(let match):
            guard let event = first(match) else { return nil }
            let evidence = FindingEvidence(at: .init(event: event.kind.name))
            return Finding(rule: id, message: event.sentence, at: event.at.seconds, evidence: evidence)
        case .require(let match):
            guard first(match) == nil else { return nil }
            let evidence = FindingEvidence(
                at: .init(event: "\(match)"),
                measured: .number(0),
                expected: .word(">= 1"),
                unit: "events"
            )
            return Finding(
                rule: id,
                message: "no event matches \(match)",
                at: log.events.last?.at.seconds,
                evidence: evidence
            )
        case .background(let allowed):
            guard let background, !allowed.contains(background), !log.isEndedByLeaving else { return nil }
            return backgroundFinding(background, allowed, in: log, stalled: metrics.stallSeconds ?? 0)
        case .budget(let budgets):
            let broken = budgets.compactMap { $0.finding(in: metrics) }
            guard let first = broken.first else { return nil }
            return Finding(rule: id, message: broken.map(\.message).joined(separator: "; "), evidence: first.evidence)
        }
    }

    /// The duration of stalls from which they, and not the app, explain missing audio in the background, in seconds:
    /// the time in which audio must be heard again.
    private static let longStall = 15.0

    private func backgroundFinding(
        _ background: String,
        _ allowed: [String],
        in log: EventLog,
        stalled: Double
    ) -> Finding {
        let expected = allowed.joined(separator: " or ")
        var message: Message = "the audio in the background is \(background), expected \(expected)"
        if let misdeclaration = log.misdeclaration { message += "; \(misdeclaration)" }
        let isStall = stalled >= Self.longStall
        if isStall { message += "; the player stalled for \(stalled, places: 1) s" }
        // The app's own reason explains a finding that is not the platform's fault.
        for case .appDecided(let policy, "nothing", let reason) in log.events.lazy.map(\.kind) where !isStall {
            message += "; \(policy) did nothing: \(quoting: reason)"
            break
        }
        return Finding(
            rule: id,
            message: message,
            evidence: FindingEvidence(
                at: .init(phase: "background"),
                measured: .word(background),
                expected: .word(expected)
            )
        )
    }
}
