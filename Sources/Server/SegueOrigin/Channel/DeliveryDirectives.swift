/// The delivery directives of a playlist request (RFC 8216bis, 6.2.5).
package struct DeliveryDirectives: Sendable, Equatable {
    /// The content that a delta update may omit.
    package enum Skip: Sendable, Equatable {
        case segments
        case segmentsAndDateRanges
    }

    /// A malformed directive.
    package struct Refusal: Error, Sendable, Equatable {
        package let name: String
        package let message: ErrorSentence
    }

    /// The media sequence number that the playlist must contain; nil for any.
    package var sequence: Int?
    /// The part that the playlist must contain; nil for the whole segment.
    package var part: Int?
    /// The content that may be omitted; nil for none.
    package var skip: Skip?

    /// Parses directives.
    ///
    /// - Parameters:
    ///   - sequence: The value of `_HLS_msn`.
    ///   - part: The value of `_HLS_part`.
    ///   - skip: The value of `_HLS_skip`; an unknown value is ignored.
    /// - Throws: ``Refusal`` for a number that is malformed or above 2^53, and for a part without a segment.
    package init(sequence: String? = nil, part: String? = nil, skip: String? = nil) throws(Refusal) {
        if part != nil, sequence == nil {
            throw Refusal(name: "_HLS_part", message: "requires _HLS_msn, the number of the part's segment")
        }
        self.sequence = try Self.number("_HLS_msn", sequence)
        self.part = try Self.number("_HLS_part", part)
        self.skip =
            switch skip {
            case "YES": .segments
            case "v2": .segmentsAndDateRanges
            default: nil
            }
    }

    private static func number(_ name: String, _ text: String?) throws(Refusal) -> Int? {
        guard let text else { return nil }
        let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDigits, !text.isEmpty, text.utf8.count <= 16, let number = Int(text), number <= 1 << 53 else {
            throw Refusal(name: name, message: "'\(text.prefix(40))' is not an integer")
        }
        return number
    }
}
