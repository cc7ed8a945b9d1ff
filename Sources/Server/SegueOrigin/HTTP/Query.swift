import SegueBase

/// The parameters of a query.
///
/// Errors name the parameter.
///
/// Unknown parameters are ignored: players and caches add their own.
struct Query: Sendable, Equatable {
    private var values: [String: [String]] = [:]

    /// Parses a query.
    ///
    /// - Parameter text: The text after the `?`, percent-encoded.
    /// - Throws: ``OriginFailure`` with 400 for a malformed encoding or bytes that are not UTF-8.
    init(_ text: Substring) throws(OriginFailure) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentCoding.decode(parts[0], plusIsSpace: true).flatMap {
                String(validating: $0, as: UTF8.self)
            }
            guard let name else {
                throw OriginFailure(
                    status: 400,
                    code: "badQuery",
                    message: "the name of a parameter is not valid percent-encoded UTF-8"
                )
            }
            let bytes = parts.count > 1 ? PercentCoding.decode(parts[1], plusIsSpace: true) : []
            guard let bytes, !bytes.contains(0), let value = String(validating: bytes, as: UTF8.self) else {
                throw .badQuery(name, "the value is not valid percent-encoded UTF-8")
            }
            values[name, default: []].append(value)
        }
    }

    /// The text of a parameter, or nil if it is missing.
    func text(_ name: String) throws(OriginFailure) -> String? {
        guard let given = values[name] else { return nil }
        guard given.count == 1 else { throw .badQuery(name, "the parameter is repeated") }
        return given[0]
    }

    /// A flag: `1` or `true`, `0` or `false`; false if it is missing.
    func flag(_ name: String) throws(OriginFailure) -> Bool {
        switch try text(name) {
        case nil, "0", "false": false
        case "1", "true": true
        case .some(let other): throw .badQuery(name, "'\(other)' is not 1 or 0")
        }
    }

    /// An integer in a range, or nil if it is missing.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(OriginFailure) -> Int? {
        guard let text = try text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badQuery(name, "'\(text)' is not an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A time in seconds, exact to the nanosecond and not negative; nil if it is missing.
    func seconds(_ name: String) throws(OriginFailure) -> Rational? {
        guard let text = try text(name) else { return nil }
        guard let time = Self.decimal(text) else {
            throw .badQuery(name, "'\(text)' is not a number of seconds, such as 12 or 12.5")
        }
        return time
    }

    /// One of several words, or nil if it is missing.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        of: Choice.Type
    ) throws(OriginFailure) -> Choice? where Choice.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badQuery(name, "'\(text)' is not one of \(known)")
        }
        return choice
    }

    /// Parses digits with at most one decimal point.
    private static func decimal(_ text: String) -> Rational? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isDigits = { (part: Substring.UTF8View) in
            part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard parts.allSatisfy({ isDigits($0) }), (1...9).contains(parts[0].count),
            let whole = Int64(String(Substring(parts[0])))
        else { return nil }
        guard parts.count == 2 else { return Rational(whole) }
        let digits = parts[1].prefix(9)
        guard !digits.isEmpty, let fraction = Int64(String(Substring(digits))) else { return nil }
        let scale = (0..<digits.count).reduce(Int64(1)) { scale, _ in scale * 10 }
        return Rational(whole) + Rational(fraction, scale)
    }
}
