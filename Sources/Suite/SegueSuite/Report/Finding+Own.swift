package import SegueBase
package import SegueComparison
internal import SegueConformance
internal import SegueVerification

extension Finding {
    /// The rules that no rule file defines; ``VerificationReport/Rule`` adds those named `content.…`.
    package enum Own: String, Sendable, CaseIterable {
        case needs
        case unplayable
        case unopened
        case sourceDamaged = "source-damaged"
        case unserved
        case undecoded
        case noServer = "no-server"
        case noBackground = "no-background"
        case refused
        case stepFailed = "step-failed"
        case stepSkipped = "step-skipped"
        case driverFailed = "driver-failed"
        case notDriven = "not-driven"
        case observed
        case unobserved
        case noProgress = "no-progress"
        case crash
        case hang
        case memory
        case notRun = "not-run"
        case issueExpired = "known-issue-expired"
        case undelivered = "content.undelivered"
        case unchecked = "hls.unchecked"
        case secondTry = "second-try"
        case connectionsLost = "connections-lost"

        /// The rule in a sentence.
        package var about: String {
            switch self {
            case .needs: "The file meets the needs of the scenario."
            case .unplayable: "The file has playable media."
            case .unopened: "The media can be divided into segments."
            case .sourceDamaged: "The file itself can be decoded."
            case .unserved: "All streams of the file are served."
            case .undecoded: "libav decodes all streams that are served."
            case .noServer: "The title's server responds."
            case .noBackground: "The title has a rendition for the background."
            case .refused: "The server provides the requested rendition."
            case .stepFailed: "Each step of the scenario ends and meets its expectation."
            case .stepSkipped: "The platform and app support the steps of the scenario."
            case .driverFailed: "The driver of a real player follows the protocol and runs until the end of the case."
            case .notDriven: "The driver of a real player supports the scenario."
            case .observed: "The output of a real player is recorded."
            case .unobserved: "The recorded audio and video match the player's statements."
            case .noProgress: "The run makes progress until the scenario is done."
            case .crash: "Processing the file does not crash."
            case .hang: "Processing the file finishes."
            case .memory: "Processing the file stays within the memory limit."
            case .notRun: "The machine can run the case."
            case .issueExpired: "A known issue that covers findings has not expired."
            case .undelivered: "The delivered content can be fetched for comparison."
            case .unchecked: "All segments are checked by the rules of HLS."
            case .secondTry: "Resources load with the first request, over a real network."
            case .connectionsLost: "A server answers requests on connections that it kept, over a real network."
            }
        }
    }

    package init(_ own: Own, _ message: Message, at: Double? = nil, evidence: FindingEvidence = .init()) {
        self.init(rule: own.rawValue, message: message, at: at, evidence: evidence)
    }

    /// The rules that no rule file defines, by name.
    package static let ownRules: [String: String] =
        Dictionary(uniqueKeysWithValues: Own.allCases.map { ($0.rawValue, $0.about) })
        .merging(VerificationReport.Rule.allCases.map { ($0.rawValue, $0.about) }) { $1 }
        .merging(ViolatedRequirement.rules.map { ($0.key, $0.value.requirement) }) { $1 }

    /// True if it is informational and breaks no rule.
    package var isRemark: Bool {
        if let requirement { return !requirement.isViolation }
        return [
            Own.sourceDamaged, .unserved, .undecoded, .stepSkipped, .notDriven, .observed, .unchecked, .noBackground,
            .connectionsLost,
        ].contains { $0.rawValue == rule }
    }
}
