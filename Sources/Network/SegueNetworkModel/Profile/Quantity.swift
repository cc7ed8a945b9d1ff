internal import SegueBase
internal import SegueData

/// Exact numbers with units.
enum Quantity {
    /// The expected forms, for messages.
    static let rateShape = "a rate such as 780 kbit/s"
    static let durationShape = "a duration such as 100 ms"
    static let bytesShape = "a number of bytes such as 10000 bytes"

    /// Splits a text such as `780 kbit/s` into number and unit, with or without a space.
    static func split(_ text: String) -> (Rational, String)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "/") }
        guard number.count <= 12, let value = Rational(decimal: String(number)) else { return nil }
        return (value, String(text.dropFirst(number.count).drop { $0 == " " }))
    }

    static func bitsPerSecond(_ text: String) -> Int64? {
        guard let rate = bitsPerSecondOrNone(text), rate > 0 else { return nil }
        return rate
    }

    /// Reads a rate like ``bitsPerSecond(_:)``, or 0 for `0 kbit/s`.
    static func bitsPerSecondOrNone(_ text: String) -> Int64? {
        guard let (number, unit) = split(text) else { return nil }
        let scales: [String: Int64] = ["bit/s": 1, "kbit/s": 1000, "Mbit/s": 1_000_000, "Gbit/s": 1_000_000_000]
        guard let scale = scales[unit], number <= Rational(1_000_000_000_000, scale) else { return nil }
        return number == .zero ? 0 : max(1, number.rounded(scale: scale))
    }

    static func duration(_ text: String) -> Duration? {
        guard let (number, unit) = split(text) else { return nil }
        let scales: [String: Rational] = ["us": Rational(1, 1_000_000), "ms": Rational(1, 1000), "s": Rational(1)]
        guard let scale = scales[unit], number <= Rational(1_000_000) else { return nil }
        return Duration(number * scale)
    }

    static func durations(_ text: String) -> ClosedRange<Duration>? {
        guard let dash = text.firstIndex(of: "-") else { return duration(text).map { $0...$0 } }
        let unit = text.drop { $0.isNumber || $0 == "." || $0 == "-" || $0 == " " }
        guard let low = duration(text[..<dash] + " " + unit),
            let high = duration(String(text[text.index(after: dash)...])),
            low <= high
        else { return nil }
        return low...high
    }

    /// Reads a share from 0 % to below 100 %.
    static func share(_ text: String) -> Double? {
        guard let share = shareOrWhole(text), share < 1 else { return nil }
        return share
    }

    /// Reads a share above 0 %, up to 100 %.
    static func chance(_ text: String) -> Double? {
        guard let share = shareOrWhole(text), share > 0 else { return nil }
        return share
    }

    private static func shareOrWhole(_ text: String) -> Double? {
        guard let (number, unit) = split(text), unit == "%", number <= Rational(100) else { return nil }
        return number.seconds / 100
    }

    static func bytes(_ text: String) -> Int? {
        guard let (number, unit) = split(text), unit == "bytes" || unit == "byte", number.denominator == 1,
            number <= Rational(1_000_000_000_000)
        else { return nil }
        return Int(number.numerator)
    }

    /// Reads a signed number of bytes other than zero.
    static func signedBytes(_ text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        guard let count = bytes(isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text), count > 0 else {
            return nil
        }
        return isNegative ? -count : count
    }
}

extension HarnessFields {
    /// Consumes a number with a unit.
    mutating func quantity<Value>(
        _ key: String,
        as wanted: String,
        _ read: (String) -> Value?
    ) throws(HarnessError) -> Value? {
        guard let text = try text(key) else { return nil }
        guard let value = read(text) else { throw error(key, "is \(text), must be \(wanted)") }
        return value
    }

    /// Consumes a required number with a unit.
    mutating func requiredQuantity<Value>(
        _ key: String,
        as wanted: String,
        _ read: (String) -> Value?
    ) throws(HarnessError) -> Value {
        guard let value = try quantity(key, as: wanted, read) else { throw error(key, "is missing") }
        return value
    }

    /// Creates the error for an entry without effect; if an unknown key is present, a misspelling is the likelier
    /// cause.
    func idle(among keys: [String], _ message: String) -> HarnessError {
        let error = missing(keys[0], among: keys)
        let isMisspelled = error.key != self.error(keys[0], "").key
        return isMisspelled ? error : HarnessError(file: file, line: line, key: path, message: message)
    }

    /// Consumes a required duration above zero.
    mutating func requiredLength(_ key: String) throws(HarnessError) -> Duration {
        guard let length = try quantity(key, as: Quantity.durationShape, Quantity.duration), length > .zero else {
            throw error(key, "must be given and above zero")
        }
        return length
    }

    /// Consumes a period of repetition, which must be longer than the duration.
    mutating func period(_ key: String, of noun: String, lasting length: Duration) throws(HarnessError) -> Duration? {
        guard let period = try quantity(key, as: Quantity.durationShape, Quantity.duration) else { return nil }
        guard period > length else { throw error(key, "must be longer than the \(noun)") }
        guard period - length >= .milliseconds(1) else { throw error(key, "must leave 1 ms between repetitions") }
        return period
    }
}
