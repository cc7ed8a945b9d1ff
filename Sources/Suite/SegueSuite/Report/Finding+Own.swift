package import SegueComparison

extension Finding {
    /// The rules that no rule file defines; ``VerificationReport/Rule`` adds those named `content.…`.
    package enum Own: String, Sendable, CaseIterable {
        /// The file lacks something that the scenario needs.
        case needs
        /// The file has no playable media.
        case unplayable
        /// The media cannot be divided into segments.
        case unopened
        /// libav cannot decode parts of the file itself.
        case sourceDamaged = "source-damaged"
        /// A stream of the file is not served.
        case unserved
        /// The title's server does not respond.
        case noServer = "no-server"
        /// The server does not provide the rendition.
        case refused
        /// A step of the scenario failed its expectation or did not end.
        case stepFailed = "step-failed"
        /// The driver of a real player ended, timed out, or violated the protocol.
        case driverFailed = "driver-failed"
        /// The driver of a real player does not support the scenario.
        case notDriven = "not-driven"
        /// The recorded output of a real player.
        case observed
        /// The recording contradicts a statement of a real player.
        case unobserved
        /// No event can happen any more before the scenario is done.
        case noProgress = "no-progress"
        /// The worker of the file died.
        case crash
        /// The worker of the file made no progress.
        case hang
        /// The worker of the file exceeded the memory limit.
        case memory
        /// The machine could not run the case.
        case notRun = "not-run"
        /// A known issue with an expiry date in the past covers a finding.
        case issueExpired = "known-issue-expired"
        /// The delivered content could not be fetched for comparison.
        case undelivered = "content.undelivered"
    }

    package init(_ own: Own, _ message: String, at: Double? = nil, _ evidence: FindingEvidence = .init()) {
        self.init(rule: own.rawValue, message: message, at: at, evidence)
    }

    /// True if it is informational and breaks no rule.
    package var isRemark: Bool {
        [Own.sourceDamaged, .unserved, .notDriven, .observed].contains { $0.rawValue == rule }
    }
}
