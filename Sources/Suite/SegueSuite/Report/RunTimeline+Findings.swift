import SegueBase
package import SegueCharts
internal import SegueComparison
package import SegueEvents

extension RunTimeline {
    /// The timeline of a log with the findings of its case; remarks are left out.
    package init(log: EventLog, findings: [SegueSuite.Finding]) {
        let end = log.events.last?.at.seconds ?? 0
        self.init(log: log)
        self.findings = findings.filter { !$0.isRemark }.map { found in
            let at = found.at ?? end
            // A finding before the end of the run is about its own moment.
            let subject: RunTimeline.Subject? = at < end - 0.0005 ? .moment : found.subject
            return RunTimeline.Finding(rule: found.rule, message: found.message.text, at: at, subject: subject)
        }
    }
}

extension Finding {
    /// The part of the run that the finding is about; nil for the whole run.
    fileprivate var subject: RunTimeline.Subject? {
        let place = evidence.place
        if let position = place?.position { return .position(position) }
        if place?.phase != nil { return .background }
        if place?.stepsDone != nil { return .ending }
        if place?.event != nil { return evidence.expected == nil ? .moment : .ending }
        guard let metric = place?.metric.flatMap(Budget.Metric.init) else { return nil }
        switch metric {
        case .startup: return .start
        case .stalls, .stallSeconds, .stallShare: return .stall
        case .switchGap, .silence: return .silence
        case .errors: return .error
        case .firstByte: return .slowestRequest
        case .bitrate, .bytes, .requests, .heard: return nil
        }
    }
}
