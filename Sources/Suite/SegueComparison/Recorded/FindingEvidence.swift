package import SegueBase

/// The values behind a finding's message.
///
/// Reports of earlier versions have none.
package struct FindingEvidence: Sendable, Equatable {
    /// The position of a finding in what was tested.
    package struct Place: Sendable, Equatable, Codable {
        /// The metric that is out of range, by the name that budgets use.
        package var metric: String?
        /// The kind of the event that is forbidden, or the events that are missing.
        package var event: String?
        /// The phase of the app's life, such as `background`.
        package var phase: String?
        /// The rendition, or a stream of a title.
        package var rendition: String?
        package var position: Double?
        /// The number of the scenario's steps that are done.
        package var stepsDone: Int?

        package init(
            metric: String? = nil,
            event: String? = nil,
            phase: String? = nil,
            rendition: String? = nil,
            position: Double? = nil,
            stepsDone: Int? = nil
        ) {
            (self.metric, self.event, self.phase) = (metric, event, phase)
            (self.rendition, self.position, self.stepsDone) = (rendition, position, stepsDone)
        }
    }

    /// The position in what was tested.
    package var place: Place?
    package var measured: RecordedMetric?
    package var expected: RecordedMetric?
    /// The unit of both values; nil for words and counts.
    package var unit: String?

    package init(
        at place: Place? = nil,
        measured: RecordedMetric? = nil,
        expected: RecordedMetric? = nil,
        unit: String? = nil
    ) {
        (self.place, self.measured, self.expected, self.unit) = (place, measured, expected, unit)
    }
}

extension FindingEvidence {
    /// The sentence about a metric that is out of range, such as `stalls is 3, must be <= 0`.
    ///
    /// Nil for a finding about something else.
    package var sentence: Message? {
        guard let metric = place?.metric, let measured = measured?.number, case .word(let expected)? = expected else {
            return nil
        }
        let unit = unit.map { " \($0)" } ?? ""
        return "\(metric) is \(measured, places: 4)\(unit), must be \(value: expected)\(unit)"
    }
}

extension FindingEvidence: Codable {
    private enum CodingKeys: String, CodingKey {
        case place = "where"
        case measured, expected, unit
    }
}
