/// A parsed `Range` field for a body of known length (RFC 9110, section 14).
enum RangeRequest: Equatable, Sendable {
    /// The whole body: no field, another unit than bytes, a malformed value, or too many ranges.
    case whole
    /// One or more ranges in the order requested; none overlaps or touches another.
    case parts([Range<Int64>])
    /// No requested byte exists: 416.
    case unsatisfiable

    /// The maximum number of ranges; a request for more gets the whole body (RFC 9110, section 14.2).
    static let limit = 32

    /// Parses a field's value.
    init(_ value: String?, length: Int64) {
        guard let value, let specs = Self.specs(value) else {
            self = .whole
            return
        }
        var parts: [Range<Int64>] = []
        for spec in specs {
            if let range = Self.range(spec, length: length) { Self.add(range, to: &parts) }
        }
        self = parts.isEmpty ? .unsatisfiable : .parts(parts)
    }

    /// The two numbers of a range, of which one may be missing.
    private typealias Spec = (first: Int64?, last: Int64?)

    /// The bytes of a range, or nil if there are none.
    private static func range(_ spec: Spec, length: Int64) -> Range<Int64>? {
        guard let first = spec.first else {
            let suffix = min(spec.last ?? 0, length)
            return suffix > 0 ? length - suffix..<length : nil
        }
        guard first < length else { return nil }
        return first..<min(length, (spec.last ?? length).addingClamped(1))
    }

    /// Adds a range and merges it with ranges that it overlaps or touches, so that no byte is sent twice.
    private static func add(_ range: Range<Int64>, to parts: inout [Range<Int64>]) {
        var (merged, position) = (range, parts.count)
        for (index, part) in parts.enumerated().reversed()
        where part.lowerBound <= range.upperBound && range.lowerBound <= part.upperBound {
            merged = min(merged.lowerBound, part.lowerBound)..<max(merged.upperBound, part.upperBound)
            parts.remove(at: index)
            position = index
        }
        parts.insert(merged, at: position)
    }

    /// The ranges of a well-formed value within the limit.
    private static func specs(_ value: String) -> [Spec]? {
        let parts = value.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, String(Substring(parts[0])).equalsIgnoringASCIICase("bytes") else { return nil }
        var specs: [Spec] = []
        // A list may have empty elements (RFC 9110, section 5.6.1).
        for element in HTTPList.elements(Substring(parts[1])) {
            guard specs.count < limit, let spec = spec(element) else { return nil }
            specs.append(spec)
        }
        return specs.isEmpty ? nil : specs
    }

    private static func spec(_ text: Substring) -> Spec? {
        let ends = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else { return nil }
        guard first != nil || last != nil else { return nil }
        if let first, let last, last < first { return nil }
        return (first, last)
    }

    /// A number, an inner nil if it is missing, or an outer nil if it is malformed.
    ///
    /// Larger numbers are clamped to 64 bits.
    private static func number(_ digits: Substring.UTF8View) -> Int64?? {
        guard !digits.isEmpty else { return .some(nil) }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return .some(Int64(String(Substring(digits))) ?? .max)
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
