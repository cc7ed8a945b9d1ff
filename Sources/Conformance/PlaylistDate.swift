/// A date and time as ISO 8601 writes them, with what playlists are to tell of it.
struct PlaylistDate: Sendable {
    /// Seconds from the beginning of 1970, in UTC where there is no time zone.
    let seconds: Double

    /// Whether a time zone stands with it.
    let hasZone: Bool

    /// Whether it is told to a millisecond.
    let hasMilliseconds: Bool

    /// Reads a date and time; nil for what is none, or no day of the calendar.
    init?(_ text: some StringProtocol) {
        let form =
            /([0-9]{4})-?([0-9]{2})-?([0-9]{2})T([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2})(?:[.,]([0-9]+))?)?)?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?/
        guard let match = String(text).wholeMatch(of: form), let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3), let hour = Int(match.4)
        else { return nil }
        let minute = Int(match.5 ?? "0") ?? 0
        let second = Int(match.6 ?? "0") ?? 0
        guard (1...12).contains(month), (1...Self.days(month, of: year)).contains(day), hour <= 24, minute < 60,
            second <= 60
        else { return nil }
        let fraction = Double("0." + (match.7 ?? "0")) ?? 0
        var offset = 0
        if let zone = match.8, zone != "Z" {
            let digits = zone.dropFirst().filter { $0 != ":" }
            let hours = Int(digits.prefix(2)) ?? 0
            let minutes = Int(digits.dropFirst(2)) ?? 0
            guard hours < 24, minutes < 60 else { return nil }
            offset = (zone.first == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
        let whole = Self.dayNumber(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        seconds = Double(whole) + fraction
        hasZone = match.8 != nil
        hasMilliseconds = (match.7 ?? "").count >= 3
    }

    private static func days(_ month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days from the beginning of 1970.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years that begin in March end with the leap day.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
