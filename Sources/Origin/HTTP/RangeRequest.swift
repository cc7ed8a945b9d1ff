/// What a `Range` header asks of a body of known length (RFC 9110, section 14).
enum RangeRequest: Equatable, Sendable {
    /// The whole body: no header, a unit other than bytes, a malformed one, or several ranges at once.
    ///
    /// A server may answer several ranges with the whole (RFC 9110, 14.2); no player of media asks for them.
    case whole
    /// These bytes.
    case part(Range<Int64>)
    /// None of the bytes asked for exist: 416.
    case unsatisfiable

    /// Reads a header's value.
    init(_ value: String?, length: Int64) {
        guard let value, let (first, last) = Self.bounds(value) else {
            self = .whole
            return
        }
        switch (first, last) {
        case (nil, nil): self = .whole
        case (nil, let suffix?):
            let start = max(0, length - suffix)
            self = suffix == 0 || length == 0 ? .unsatisfiable : .part(start..<length)
        case (let first?, let last):
            if let last, last < first {
                self = .whole
            } else if first >= length {
                self = .unsatisfiable
            } else {
                self = .part(first..<min(length, (last ?? length - 1).addingClamped(1)))
            }
        }
    }

    /// The two numbers around the dash of a single range, either of which may be missing.
    private static func bounds(_ value: String) -> (first: Int64?, last: Int64?)? {
        let parts = value.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, String(Substring(parts[0])).equalsIgnoringASCIICase("bytes") else { return nil }
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let range = parts[1].drop(while: blank).reversed().drop(while: blank).reversed()
        guard !range.contains(UInt8(ascii: ",")) else { return nil }
        let ends = Array(range).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else { return nil }
        return (first, last)
    }

    /// A number, or nil inside where there is none; nil outside for anything else.
    ///
    /// Numbers too great for 64 bits are only "far away".
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64?? {
        guard !digits.isEmpty else { return .some(nil) }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return .some(Int64(String(decoding: digits, as: UTF8.self)) ?? .max)
    }
}

extension Int64 {
    /// The sum, at most the greatest number.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
