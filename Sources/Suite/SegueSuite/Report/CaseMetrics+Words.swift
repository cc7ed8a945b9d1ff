internal import SegueBase
internal import SegueEvents

extension CaseMetrics {
    /// The metrics in one line.
    package var words: String {
        var parts = ["heard \(number(heardSeconds)) s"]
        if let startup = startupSeconds { parts.append("started after \(number(startup)) s") }
        if let stalls {
            let length = stallSeconds.map { stalls > 0 ? " (\(number($0)) s)" : "" } ?? ""
            parts.append("\(stalls) stall\(stalls == 1 ? "" : "s")\(length)")
        }
        if let background { parts.append("in the background: \(background)") }
        if let gap = switchGapSeconds { parts.append("\(number(gap)) s of silence at the switch") }
        if let bytes { parts.append("\(bytes) bytes") }
        return parts.joined(separator: ", ")
    }

    private func number(_ value: Double) -> String { DecimalText.short(value, places: 3) }
}
