internal import SegueBase
internal import SegueData

/// Numbers with their units, exact.
enum Quantity {
    /// What a rate, duration, size or share must look like, for messages.
    static let rateShape = "a rate such as 780 kbit/s"
    static let durationShape = "a duration such as 100 ms"
    static let bytesShape = "a number of bytes such as 10000 bytes"

    /// The number and the unit of a text such as `780 kbit/s`; the unit may follow at once.
    static func split(_ text: String) -> (Rational, String)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "/") }
        guard number.count <= 12, let value = Rational(decimal: String(number)) else { return nil }
        return (value, String(text.dropFirst(number.count).drop { $0 == " " }))
    }

    static func bitsPerSecond(_ text: String) -> Int64? {
        guard let rate = bitsPerSecondOrNone(text), rate > 0 else { return nil }
        return rate
    }

    /// As ``bitsPerSecond(_:)``, or 0 for `0 kbit/s`.
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

    /// A share from 0 % to below 100 %.
    static func share(_ text: String) -> Double? {
        guard let share = shareOrWhole(text), share < 1 else { return nil }
        return share
    }

    /// A share above 0 %, to 100 %.
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

    /// Bytes with a sign, not zero.
    static func signedBytes(_ text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        guard let count = bytes(isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text), count > 0 else {
            return nil
        }
        return isNegative ? -count : count
    }
}

extension HarnessFields {
    /// Takes out a number with a unit.
    mutating func quantity<Value>(
        _ key: String,
        _ wanted: String,
        _ read: (String) -> Value?
    ) throws(HarnessError) -> Value? {
        guard let text = try text(key) else { return nil }
        guard let value = read(text) else { throw error(key, "is \(text), must be \(wanted)") }
        return value
    }

    /// Takes out a number with a unit that must be there.
    mutating func requiredQuantity<Value>(
        _ key: String,
        _ wanted: String,
        _ read: (String) -> Value?
    ) throws(HarnessError) -> Value {
        guard let value = try quantity(key, wanted, read) else { throw error(key, "is missing") }
        return value
    }

    /// An error about an entry that says nothing: that a key of it is misspelled, where one is, is the likelier cause.
    func idle(among keys: [String], _ message: String) -> HarnessError {
        let error = missing(keys[0], among: keys)
        let isMisspelled = error.key != self.error(keys[0], "").key
        return isMisspelled ? error : HarnessError(file: file, line: line, key: path, message: message)
    }

    /// Takes out a duration above zero that must be there.
    mutating func requiredLength(_ key: String) throws(HarnessError) -> Duration {
        guard let length = try quantity(key, Quantity.durationShape, Quantity.duration), length > .zero else {
            throw error(key, "must be there and above zero")
        }
        return length
    }

    /// Takes out after how long something begins again, which must be longer than it lasts.
    mutating func period(_ key: String, of noun: String, lasting length: Duration) throws(HarnessError) -> Duration? {
        guard let period = try quantity(key, Quantity.durationShape, Quantity.duration) else { return nil }
        guard period > length else { throw error(key, "must be longer than the \(noun)") }
        guard period - length >= .milliseconds(1) else { throw error(key, "must leave 1 ms between one and the next") }
        return period
    }
}
