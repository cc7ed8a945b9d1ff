internal import SegueBase
internal import SegueComparison
package import SegueEvents

/// The limit of a metric of a case.
package struct Budget: Sendable, Equatable {
    /// The metrics by their names in budgets.
    package enum Metric: String, Sendable, CaseIterable {
        /// Seconds from the intent to play to the first audio.
        case startup
        /// The number of buffer underruns during playback.
        case stalls
        /// The total duration of stalls in seconds.
        case stallSeconds = "stall-seconds"
        /// The share of stalls in the time since the first audio, from 0 to 1.
        case stallShare = "stall-share"
        /// The longest silence at a switch of items, in seconds.
        case switchGap = "switch-gap"
        /// Seconds without audio between the first and the last: stalls and switches.
        case silence
        /// The number of error events in the log.
        case errors
        /// Bits per second of all loaded media, by their own duration.
        case bitrate
        /// Bytes transferred over the network.
        case bytes
        /// The number of requests.
        case requests
        /// The longest time to first byte of a response, in seconds.
        case firstByte = "first-byte"
        /// Seconds of audio that were heard.
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

    package let metric: Metric

    package let comparison: Comparison

    package init(_ metric: Metric, _ comparison: Comparison) { (self.metric, self.comparison) = (metric, comparison) }
}

extension Budget {
    /// The violation; nil if there is none or the metric does not apply.
    package func finding(in metrics: CaseMetrics) -> Finding? {
        guard let value = metrics[metric], comparison.holds(value, { _ in nil }) == false else { return nil }
        let evidence = FindingEvidence(
            at: .init(metric: metric.rawValue),
            measured: .number(value),
            expected: .word(comparison.description),
            unit: metric.unit
        )
        return Finding(rule: "budget.\(metric.rawValue)", message: evidence.sentence ?? "", evidence: evidence)
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
