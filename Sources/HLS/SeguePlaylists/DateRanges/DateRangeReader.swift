/// Reads date ranges and merges those with the same ID.
struct DateRangeReader {
    private var ranges: [DateRange] = []

    /// The number of segments before each range.
    private var places: [Int] = []
    private var indices: [String: Int] = [:]

    var count: Int { ranges.count }

    /// Handles a tag; malformed tags are ignored (RFC 8216, 4.3.2.7).
    mutating func read(
        _ tag: PlaylistTag,
        after segments: Int,
        _ variables: inout PlaylistVariables
    ) throws(PlaylistError) {
        let range: DateRange
        do throws(PlaylistError) {
            guard let attributes = try tag.attributes(&variables) else { return }
            range = try DateRange(attributes)
        } catch {
            switch error.reason {
            case .undefinedVariable, .tooLarge: throw error
            default: return
            }
        }
        if let index = indices[range.id] {
            ranges[index].add(range)
        } else {
            indices[range.id] = ranges.count
            ranges.append(range)
            places.append(segments)
        }
    }

    /// The ranges with their positions.
    ///
    /// Ranges without a start are kept only if a delta update may have skipped it.
    func finish(firstListed: Int, isDelta: Bool) -> [DateRange] {
        zip(ranges, places).compactMap { range, place in
            guard isDelta || range.startDate != nil else { return nil }
            var range = range
            range.position = place == 0 ? nil : firstListed + place
            return range
        }
    }
}

extension DateRange {
    fileprivate init(_ attributes: AttributeList) throws(PlaylistError) {
        self.init(id: try attributes.requiredString("ID"), startDate: try DateRange.date("START-DATE", attributes))
        classID = try attributes.string("CLASS")
        cues = try attributes.strings("CUE")
        endDate = try DateRange.date("END-DATE", attributes)
        duration = try attributes.length("DURATION")
        plannedDuration = try attributes.length("PLANNED-DURATION")
        if let word = attributes.word("END-ON-NEXT") {
            guard word == "YES" else { throw attributes.bad("END-ON-NEXT", "YES") }
            endsOnNext = true
        }
        scte35Command = try attributes.hexadecimal("SCTE35-CMD")
        scte35Out = try attributes.hexadecimal("SCTE35-OUT")
        scte35In = try attributes.hexadecimal("SCTE35-IN")
        for (name, value) in attributes.values.all where name.hasPrefix("X-") {
            clientAttributes[name] = try DateRange.value(name, value, in: attributes)
        }
    }

    private static func date(_ name: String, _ attributes: AttributeList) throws(PlaylistError) -> String? {
        guard let text = try attributes.string(name) else { return nil }
        let form = text.utf8.prefix(10).map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
        guard form.elementsEqual("0000-00-00".utf8) else { throw attributes.bad(name, "a date") }
        return text
    }

    private static func value(
        _ name: String,
        _ value: AttributeList.Value,
        in attributes: AttributeList
    ) throws(PlaylistError) -> Value {
        if value.isQuoted { return .string(value.text) }
        if PlaylistNumber.isHexadecimal(value.text) { return .hexadecimal(value.text) }
        guard PlaylistNumber.isSignedDecimal(value.text) else {
            throw attributes.bad(name, "a quoted string, a hexadecimal sequence or a number")
        }
        return .number(value.text)
    }
}
