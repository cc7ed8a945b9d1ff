/// A parsed ISO 8601 date and time with the precision that playlists require.
struct PlaylistDate: Sendable {
    /// Seconds since 1970; in UTC if the text has no time zone.
    let seconds: Double

    let hasZone: Bool

    /// True if the text has at least three decimals of a second.
    let hasMilliseconds: Bool

    /// Parses a date and time; nil for other texts and for invalid days.
    init?(_ text: some StringProtocol) {
        var reader = FormReader(text)
        guard let year = reader.number(4...4), let month = reader.pair(after: "-"), let day = reader.pair(after: "-"),
            reader.takes("T"), let hour = reader.number(2...2)
        else { return nil }
        let written = reader.pair(after: ":")
        let seconds = written == nil ? nil : reader.pair(after: ":")
        var digits: Substring?
        if seconds != nil, reader.takes(".") || reader.takes(",") {
            digits = reader.some(of: .digits)
            guard digits != nil else { return nil }
        }
        let isUTC = reader.takes("Z")
        let sign = isUTC ? nil : reader.one(of: Letters("+-"))
        let (minute, second) = (written ?? 0, seconds ?? 0)
        guard (1...12).contains(month), (1...Self.days(month, of: year)).contains(day), hour <= 24, minute < 60,
            second <= 60
        else { return nil }
        let fraction = digits.flatMap { Double("0." + $0) } ?? 0
        var offset = 0
        if let sign {
            guard let hours = reader.number(2...2), hours < 24 else { return nil }
            let minutes = reader.isAtEnd ? 0 : reader.pair(after: ":")
            guard let minutes, minutes < 60 else { return nil }
            offset = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
        guard reader.isAtEnd else { return nil }
        let whole = Self.dayNumber(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.seconds = Double(whole) + fraction
        hasZone = isUTC || sign != nil
        hasMilliseconds = digits.map { $0.utf8.count >= 3 } ?? false
    }

    private static func days(_ month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// The number of days since 1 January 1970.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Counted from March, years end with the leap day.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

extension FormReader {
    /// Consumes two digits after an optional separator; returns nil if there are none.
    fileprivate mutating func pair(after sign: StaticString) -> Int? {
        _ = takes(sign)
        return number(2...2)
    }
}
