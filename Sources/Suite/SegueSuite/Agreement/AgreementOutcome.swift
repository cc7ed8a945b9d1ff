internal import SegueBase

/// The result for one URL over one network, played in virtual and in real time.
package struct AgreementOutcome: Sendable {
    /// A URL over a network.
    package struct Case: Sendable {
        /// The number of the case, from 1.
        package let number: Int
        /// The playlist URL.
        package let url: String
        package let network: String

        package init(number: Int, url: String, network: String) {
            (self.number, self.url, self.network) = (number, url, network)
        }
    }

    /// The 99th percentile of the proxy's lateness above which the machine counts as busy.
    package static let greatestLateness = Duration.milliseconds(1)

    package let item: Case

    /// The comparison of the runs; nil where a run failed or the comparison says nothing.
    package let judgement: AgreementJudgement?

    /// The findings of both runs; two runs that fail alike prove nothing.
    package let findings: [String]

    /// A summary in words.
    package let words: String

    /// The verdict; a run with findings never agrees.
    package var verdict: AgreementJudgement.Verdict {
        guard findings.isEmpty, let judgement else { return .differs }
        return judgement.verdict
    }

    package var isGood: Bool { verdict != .differs }

    /// The outcome of a case that could not be run.
    package init(of item: Case, failure: String) {
        self.item = item
        (judgement, findings, words) = (nil, [], failure)
    }

    /// The outcome of a case.
    ///
    /// `findings` are the findings of both runs. `length` is the duration of the run in virtual time. `lateness` is the
    /// lateness of the proxy: 99th percentile and maximum.
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
            words += "; virtual time agrees if timers are \(milliseconds(moment.lateness)) ms late"
            if let most = moment.single.values.map({ abs($0 / .milliseconds(1)) }).max() {
                words += " and the server takes the measured time for each request,"
                words += " at most \(DecimalText.short(most, places: 2)) ms from the average"
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

    /// The lines for a terminal: a summary, then the findings and differences.
    package var text: String {
        var lines = ["\(verdict.word) \(item.url) \(item.network): \(words)"]
        lines += findings.map { "    \($0)" }
        if verdict == .differs { lines += judgement?.agreement.differences.map { "    \($0)" } ?? [] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary of all outcomes in one line.
    package static func summary(of outcomes: [AgreementOutcome]) -> String {
        let agreed = outcomes.filter { $0.verdict == .agrees }
        let thresholds = outcomes.count { $0.verdict == .threshold }
        let greatest = agreed.compactMap { $0.judgement?.agreement.greatest }.max() ?? 0
        return "\(agreed.count) of \(outcomes.count) cases agree"
            + (thresholds > 0 ? ", \(thresholds) on a threshold" : "")
            + "; the largest time difference is \(Int(greatest * 1000)) ms."
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
