internal import SegueBase

/// A date and a time of ISO 8601, in seconds since 1970.
enum DateTime {
    /// Reads `YYYY-MM-DDThh:mm:ss.mmm` with `Z`, `+hh:mm`, `+hhmm`, `+hh` or nothing behind it; nil for anything else.
    static func seconds(_ text: String) -> Rational? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
            bytes[16] == 0x3A,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month)
        else { return nil }
        var rest = bytes[19...]
        var fraction = Rational.zero
        if rest.first == 0x2E || rest.first == 0x2C {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard (1...12).contains(digits.count), let value = number(digits) else { return nil }
            fraction = Rational(value, (0..<digits.count).reduce(1) { scale, _ in scale * 10 })
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let zone = zone(rest) else { return nil }
        let time = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        return Rational(time - zone) + fraction
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Returns the offset from UTC in seconds; 0 without a time zone.
    private static func zone(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let sign = text.first else { return 0 }
        if sign == 0x5A || sign == 0x7A { return text.count == 1 ? 0 : nil }
        guard sign == 0x2B || sign == 0x2D else { return nil }
        let digits = text.dropFirst().filter { $0 != 0x3A }
        guard digits.count == 2 || digits.count == 4, let hours = number(digits.prefix(2)[...]),
            let minutes = number(digits.dropFirst(2)[...])
        else { return nil }
        return (hours * 60 + minutes) * 60 * (sign == 0x2D ? -1 : 1)
    }

    /// Days from 1 January 1970 in the Gregorian calendar, years begun in March so that leap days come last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let leaps = year / 4 - year / 100 + year / 400
        return year * 365 + leaps + (month * 153 + 2) / 5 + day - 1 - 719_468
    }
}
