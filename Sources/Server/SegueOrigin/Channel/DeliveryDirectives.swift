/// What a client wants of a playlist (RFC 8216bis, 6.2.5).
package struct DeliveryDirectives: Sendable, Equatable {
    /// What may be left out.
    package enum Skip: Sendable, Equatable {
        /// Old segments.
        case segments
        /// Old segments and date ranges.
        case segmentsAndDateRanges
    }

    /// Why directives are none: the name of the one that is wrong, and a sentence.
    package struct Refusal: Error, Sendable, Equatable {
        /// The directive.
        package let name: String
        /// What is wrong with it.
        package let message: String
    }

    /// The segment that the playlist is to have; nil for whatever there is.
    package var sequence: Int?
    /// The part of it; nil for the whole segment.
    package var part: Int?
    /// What may be left out; nil for nothing.
    package var skip: Skip?

    /// Reads directives.
    ///
    /// - Parameters:
    ///   - sequence: The value of `_HLS_msn`; nil where it is not given.
    ///   - part: The value of `_HLS_part`.
    ///   - skip: The value of `_HLS_skip`; one that is not known asks for nothing.
    /// - Throws: ``Refusal`` for what is no number up to 2^53, and a part without a segment.
    package init(sequence: String? = nil, part: String? = nil, skip: String? = nil) throws(Refusal) {
        if part != nil, sequence == nil {
            throw Refusal(name: "_HLS_part", message: "it takes _HLS_msn, the segment that the part is of")
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
            throw Refusal(name: name, message: "'\(text.prefix(40))' is not a whole number")
        }
        return number
    }
}
