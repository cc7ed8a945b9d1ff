package import SegueComparison

extension Finding {
    /// The findings that no rule file makes; `content.…` are those of ``VerificationReport/Rule`` besides.
    package enum Own: String, Sendable, CaseIterable {
        /// The file has not what the scenario needs.
        case needs
        /// The file has nothing at all that can be played.
        case unplayable
        /// The file has media, but no plan for it could be made.
        case unopened
        /// The file itself is damaged: it says what libav cannot decode of it.
        case sourceDamaged = "source-damaged"
        /// A stream of the file is not served: it says why.
        case unserved
        /// The title's server does not answer.
        case noServer = "no-server"
        /// The server has no such rendition.
        case refused
        /// A step of the scenario found what it did not expect, or did not come to its end.
        case stepFailed = "step-failed"
        /// The driver of a real player ended, was silent, or does not keep to the protocol.
        case driverFailed = "driver-failed"
        /// The driver of a real player, or the player, cannot do what the scenario asks for.
        case notDriven = "not-driven"
        /// What was seen and heard of a real player, by a recording.
        case observed
        /// A real player said of itself what nobody saw or heard.
        case unobserved
        /// Nothing could happen any more before the scenario was done.
        case noProgress = "no-progress"
        /// The process that worked on the file died.
        case crash
        /// The process that worked on the file did not come to its end.
        case hang
        /// The process that worked on the file took too much memory.
        case memory
        /// The machine could not run the case.
        case notRun = "not-run"
        /// A known issue covers something, and is expired.
        case issueExpired = "known-issue-expired"
        /// What was delivered could not be fetched to be compared.
        case undelivered = "content.undelivered"
    }

    /// A finding that no rule file makes.
    package init(_ own: Own, _ message: String, at: Double? = nil, _ evidence: FindingEvidence = .init()) {
        self.init(rule: own.rawValue, message: message, at: at, evidence)
    }

    /// Whether it is worth saying, and breaks no rule.
    package var isRemark: Bool {
        [Own.sourceDamaged, .unserved, .notDriven, .observed].contains { $0.rawValue == rule }
    }
}
