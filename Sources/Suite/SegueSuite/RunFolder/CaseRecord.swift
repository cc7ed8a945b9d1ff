/// What a case cost the machine that ran it.
package struct CaseCost: Sendable, Codable, Equatable {
    /// When it began, in seconds since 1970.
    package var began: Double
    /// How long it took on the clock, in seconds; a file's first case brings the comparison of its content.
    package var wallSeconds: Double
    /// The processor time of all threads, in seconds.
    package var processorSeconds: Double
}

/// A case in a report's `cases`, and as a line of a run's results.
struct CaseRecord: Equatable {
    /// All that depends on the machine and the moment, apart from the rest so that a comparison can drop it.
    struct Times: Codable, Equatable {
        /// What the case cost.
        var began: Double?
        var wallSeconds: Double?
        var processorSeconds: Double?
        /// How many steps of the scenario were done.
        var steps: Int
        /// How long they took, in seconds.
        var stepsSeconds: Double
        /// How long the server took to make its answers, in seconds.
        var servingSeconds: Double
    }

    /// Which case, and what became of it.
    var result: CaseResult
    /// What it took; nil where it is not said.
    var times: Times?
    /// When the content was verified; nil where none was, or it is not said.
    var verified: ContentVerification?

    /// An outcome without its story.
    init(_ outcome: CaseOutcome) {
        result = outcome.result
        verified = outcome.verified
        times = Times(
            began: outcome.cost?.began,
            wallSeconds: outcome.cost?.wallSeconds,
            processorSeconds: outcome.cost?.processorSeconds,
            steps: outcome.steps,
            stepsSeconds: outcome.stepsSeconds,
            servingSeconds: outcome.servingSeconds
        )
    }

    /// The outcome, whose story is not part of it.
    var outcome: CaseOutcome {
        var outcome = CaseOutcome(
            result,
            steps: times?.steps ?? 0,
            stepsSeconds: times?.stepsSeconds ?? 0,
            servingSeconds: times?.servingSeconds ?? 0
        )
        outcome.verified = verified
        if let times, let began = times.began, let wall = times.wallSeconds, let used = times.processorSeconds {
            outcome.cost = CaseCost(began: began, wallSeconds: wall, processorSeconds: used)
        }
        return outcome
    }
}

extension CaseRecord: Codable {
    private enum Key: String, CodingKey { case times, verified }

    init(from decoder: any Decoder) throws {
        result = try CaseResult(from: decoder)
        let fields = try decoder.container(keyedBy: Key.self)
        times = try fields.decodeIfPresent(Times.self, forKey: .times)
        verified = try fields.decodeIfPresent(ContentVerification.self, forKey: .verified)
    }

    func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encodeIfPresent(times, forKey: .times)
        try fields.encodeIfPresent(verified, forKey: .verified)
    }
}
