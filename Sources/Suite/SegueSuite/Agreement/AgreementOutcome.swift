internal import SegueBase

/// What came of one URL over one network, played in virtual and in real time.
package struct AgreementOutcome: Sendable {
    /// A case: a URL over a network.
    package struct Case: Sendable {
        /// Counts the cases from 1.
        package let number: Int
        /// The playlist.
        package let url: String
        /// The network's name.
        package let network: String

        /// A case.
        package init(number: Int, url: String, network: String) {
            (self.number, self.url, self.network) = (number, url, network)
        }
    }

    /// Above how much the 99th percentile of the proxy's lateness says that the machine was busy with something else.
    package static let greatestLateness = Duration.milliseconds(1)

    /// What was played.
    package let item: Case

    /// How the runs compare; nil where one of them could not be made, and where the comparison says nothing.
    package let judgement: AgreementJudgement?

    /// What is wrong with either run: two that failed alike have shown nothing.
    package let findings: [String]

    /// What happened, in words.
    package let words: String

    /// What was found: a run with findings never agrees.
    package var verdict: AgreementJudgement.Verdict {
        guard findings.isEmpty, let judgement else { return .differs }
        return judgement.verdict
    }

    /// Whether nothing is to be said against it.
    package var isGood: Bool { verdict != .differs }

    /// A case that could not be run.
    package init(of item: Case, failure: String) {
        self.item = item
        (judgement, findings, words) = (nil, [], failure)
    }

    /// A case that was run.
    ///
    /// - Parameters:
    ///   - findings: What is wrong with them.
    ///   - length: How long the run in virtual time is.
    ///   - lateness: How late the proxy was: the 99th percentile, and the greatest.
    package init(
        of item: Case,
        _ judgement: AgreementJudgement,
        findings: [String],
        length: Duration,
        lateness: (percentile99: Duration, greatest: Duration)
    ) {
        self.item = item
        self.judgement = judgement
        func milliseconds(_ time: Duration) -> String { DecimalText.short(abs(time / .milliseconds(1)), places: 2) }
        self.findings = findings
        let agreement = judgement.agreement
        var words =
            "\(agreement.compared) events in \(Int(length.seconds.rounded())) s, at most"
            + " \(Int(agreement.greatest * 1000)) ms apart, \(agreement.swaps) swapped"
        if let moment = judgement.moment {
            words += "; virtual time says so where timers are \(milliseconds(moment.lateness)) ms late"
            if let most = moment.single.values.map({ abs($0 / .milliseconds(1)) }).max() {
                words += " and the server takes what it took in real time for each request,"
                words += " at most \(DecimalText.short(most, places: 2)) ms more or less than measured"
            }
            if moment.shift != .zero {
                words +=
                    " and the server takes \(milliseconds(moment.shift)) ms \(moment.shift < .zero ? "less" : "more")"
            }
        }
        if judgement.verdict == .differs {
            let (usual, worst) = (milliseconds(lateness.percentile99), milliseconds(lateness.greatest))
            words += "; the proxy was up to \(usual) ms late (99 %), \(worst) ms once"
            if lateness.percentile99 > Self.greatestLateness { words += ": the machine was busy" }
        }
        self.words = words
    }

    /// What came of it, for a terminal: a line, and one for each finding and difference.
    package var text: String {
        var lines = ["\(verdict.word) \(item.url) \(item.network): \(words)"]
        lines += findings.map { "    \($0)" }
        if verdict == .differs { lines += judgement?.agreement.differences.map { "    \($0)" } ?? [] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What came of all, in a line.
    package static func summary(of outcomes: [AgreementOutcome]) -> String {
        let agreed = outcomes.filter { $0.verdict == .agrees }
        let thresholds = outcomes.count { $0.verdict == .threshold }
        let greatest = agreed.compactMap { $0.judgement?.agreement.greatest }.max() ?? 0
        return "\(agreed.count) of \(outcomes.count) cases agree"
            + (thresholds > 0 ? ", \(thresholds) on a threshold" : "")
            + "; the greatest distance in time is \(Int(greatest * 1000)) ms."
    }
}

extension AgreementJudgement.Verdict {
    fileprivate var word: String {
        switch self {
        case .agrees: "agrees   "
        case .threshold: "threshold"
        case .differs: "DIFFERS  "
        }
    }
}
