internal import SegueComparison
package import SegueEvents

/// What a metric of a case must be.
package struct Budget: Sendable, Equatable {
    /// What is measured of a case, by the names that budgets give it.
    package enum Metric: String, Sendable, CaseIterable {
        /// Seconds from the intent to play until something was heard.
        case startup
        /// How often the buffer ran out while playing.
        case stalls
        /// Seconds that playback stood still because of it.
        case stallSeconds = "stall-seconds"
        /// The share of the time from the first sound on for which it stood still: from 0 to 1.
        case stallShare = "stall-share"
        /// The longest silence at a switch of items, in seconds.
        case switchGap = "switch-gap"
        /// Seconds without sound from its first to its last moment: while it stood still, and at switches.
        case silence
        /// How many events of the log are errors.
        case errors
        /// Bits a second of all media that came, by their own duration.
        case bitrate
        /// Bytes that crossed the network.
        case bytes
        /// How many requests were sent.
        case requests
        /// The longest time from a request to the first byte of its answer, in seconds.
        case firstByte = "first-byte"
        /// Seconds of the item that were heard.
        case heard

        /// The unit of its values; nil for counts and shares.
        package var unit: String? {
            switch self {
            case .startup, .stallSeconds, .switchGap, .silence, .firstByte, .heard: "s"
            case .bitrate: "bit/s"
            case .bytes: "bytes"
            case .stalls, .stallShare, .errors, .requests: nil
            }
        }
    }

    /// What is measured.
    package let metric: Metric

    /// What it must be.
    package let comparison: Comparison

    /// A budget.
    package init(_ metric: Metric, _ comparison: Comparison) { (self.metric, self.comparison) = (metric, comparison) }
}

extension Budget {
    /// What breaks it; nil where it is kept, and where the metric does not apply.
    package func finding(in metrics: CaseMetrics) -> Finding? {
        guard let value = metrics[metric], comparison.holds(value, { _ in nil }) == false else { return nil }
        let evidence = FindingEvidence(
            at: .init(metric: metric.rawValue),
            measured: .number(value),
            expected: .word(comparison.description),
            unit: metric.unit
        )
        return Finding(rule: "budget.\(metric.rawValue)", message: evidence.sentence ?? "", evidence)
    }
}

extension CaseMetrics {
    /// The value of a metric; nil where it does not apply.
    package subscript(metric: Budget.Metric) -> Double? {
        switch metric {
        case .startup: startupSeconds
        case .stalls: stalls.map(Double.init)
        case .stallSeconds: stallSeconds
        case .stallShare: stallShare
        case .switchGap: switchGapSeconds
        case .silence: silenceSeconds
        case .errors: errors.map(Double.init)
        case .bitrate: bitrate
        case .bytes: bytes.map(Double.init)
        case .requests: requests.map(Double.init)
        case .firstByte: firstByteSeconds
        case .heard: heardSeconds
        }
    }
}
