internal import SeguePlayerModel

/// The cost of a case on the machine that ran it.
package struct CaseCost: Sendable, Codable, Equatable {
    /// The start, in seconds since 1970.
    package var began: Double
    /// The wall-clock time in seconds; the first case of a file includes the comparison of content.
    package var wallSeconds: Double
    /// The processor time of all threads, in seconds.
    package var processorSeconds: Double
}

/// A case in a report's `cases` and in the results of a run folder.
struct CaseRecord {
    /// The values that depend on the machine and the time, apart from the others so that comparisons can drop them.
    struct Times: Codable, Equatable {
        var began: Double?
        var wallSeconds: Double?
        var processorSeconds: Double?
        var steps: Int
        var skippedSteps: Int?
        /// The duration of the steps in seconds.
        var stepsSeconds: Double
        /// The duration of the server's work in seconds.
        var servingSeconds: Double
    }

    var result: CaseResult
    /// The times; nil if not recorded.
    var times: Times?
    /// The time of the content verification; nil without one, or if not recorded.
    var verified: ContentVerification?
    /// The transitions with their times; nil in a report.
    var trace: TransitionTrace?
    /// The number of times that each transition occurred, by actor; only in a report.
    var transitions: [String: [String: Int]]?
    /// The comparison with the nearest passing case; only in a report, for a failing case.
    var nearestPassing: NearestPassing?

    /// An outcome without its timeline.
    init(_ outcome: CaseOutcome) {
        result = outcome.result
        verified = outcome.verified
        trace = outcome.trace
        times = Times(
            began: outcome.cost?.began,
            wallSeconds: outcome.cost?.wallSeconds,
            processorSeconds: outcome.cost?.processorSeconds,
            steps: outcome.steps,
            skippedSteps: outcome.skippedSteps,
            stepsSeconds: outcome.stepsSeconds,
            servingSeconds: outcome.servingSeconds
        )
    }

    /// The outcome, without its timeline.
    var outcome: CaseOutcome {
        var outcome = CaseOutcome(
            result,
            steps: times?.steps ?? 0,
            stepsSeconds: times?.stepsSeconds ?? 0,
            servingSeconds: times?.servingSeconds ?? 0
        )
        outcome.verified = verified
        outcome.trace = trace
        outcome.skippedSteps = times?.skippedSteps
        if let times, let began = times.began, let wall = times.wallSeconds, let used = times.processorSeconds {
            outcome.cost = CaseCost(began: began, wallSeconds: wall, processorSeconds: used)
        }
        return outcome
    }
}

extension CaseRecord: Codable {
    private enum Key: String, CodingKey { case times, verified, trace, transitions, nearestPassing }

    init(from decoder: any Decoder) throws {
        result = try CaseResult(from: decoder)
        let fields = try decoder.container(keyedBy: Key.self)
        times = try fields.decodeIfPresent(Times.self, forKey: .times)
        verified = try fields.decodeIfPresent(ContentVerification.self, forKey: .verified)
        trace = try fields.decodeIfPresent(TransitionTrace.self, forKey: .trace)
    }

    func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encodeIfPresent(times, forKey: .times)
        try fields.encodeIfPresent(verified, forKey: .verified)
        try fields.encodeIfPresent(trace, forKey: .trace)
        try fields.encodeIfPresent(transitions, forKey: .transitions)
        try fields.encodeIfPresent(nearestPassing, forKey: .nearestPassing)
    }
}
