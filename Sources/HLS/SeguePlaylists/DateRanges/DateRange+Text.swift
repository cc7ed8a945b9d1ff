/// Writes date ranges before the segments at their positions.
struct DateRangeWriter {
    private var lines: [Int: [String]] = [:]

    /// A writer; ranges before the first listed segment are written first.
    init(_ ranges: [DateRange], first: Int) {
        for range in ranges {
            let index = range.position.map { $0 > first ? $0 - first : 0 } ?? 0
            lines[index, default: []].append(range.line)
        }
    }

    /// Writes the ranges before a segment, by its index in the playlist.
    mutating func write(upTo index: Int, to text: inout [String]) {
        guard !lines.isEmpty, let these = lines.removeValue(forKey: index) else { return }
        text += these
    }

    /// Writes the ranges after the last segment, in order.
    func writeRest(to text: inout [String]) {
        for (_, these) in lines.sorted(by: { $0.key < $1.key }) { text += these }
    }
}

extension DateRange {
    fileprivate var line: String {
        var attributes = ["ID=\(quoted(id))"]
        if let classID { attributes.append("CLASS=\(quoted(classID))") }
        if let startDate { attributes.append("START-DATE=\(quoted(startDate))") }
        if !cues.isEmpty { attributes.append("CUE=\(quoted(cues.joined(separator: ",")))") }
        if let endDate { attributes.append("END-DATE=\(quoted(endDate))") }
        if let duration { attributes.append("DURATION=\(PlaylistNumber.text(duration))") }
        if let plannedDuration { attributes.append("PLANNED-DURATION=\(PlaylistNumber.text(plannedDuration))") }
        for (name, value) in clientAttributes.sorted(by: { $0.key < $1.key }) {
            attributes.append("\(name)=\(value.text)")
        }
        if let scte35Command { attributes.append("SCTE35-CMD=\(scte35Command)") }
        if let scte35Out { attributes.append("SCTE35-OUT=\(scte35Out)") }
        if let scte35In { attributes.append("SCTE35-IN=\(scte35In)") }
        if endsOnNext { attributes.append("END-ON-NEXT=YES") }
        return "#EXT-X-DATERANGE:" + attributes.joined(separator: ",")
    }
}

extension DateRange.Value {
    fileprivate var text: String {
        switch self {
        case .string(let text): quoted(text)
        case .hexadecimal(let text), .number(let text): text
        }
    }
}
