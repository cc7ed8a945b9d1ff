import Foundation
import SegueBase

/// The end of a key's validity.
enum KeyExpiry {
    /// The maximum duration: 100 years, in seconds.
    private static let longest: Int64 = 100 * 366 * 86_400

    /// The end that options request, in seconds since 1970; nil for none.
    ///
    /// - Throws: ``CommandFailure`` for an invalid or past time.
    static func end(until: String?, for period: String?, now: Int64) throws -> Int64? {
        guard until == nil || period == nil else {
            throw CommandFailure("--until and --for", "use only one of them")
        }
        if let period {
            let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400]
            guard let unit = period.last.flatMap({ units[$0] }), let count = Int64(period.dropLast()), count > 0,
                count <= longest / unit
            else { throw CommandFailure("--for \(period)", "must be a whole number of m, h, d, or w, such as 7d") }
            return now + count * unit
        }
        guard let until else { return nil }
        guard let end = date(until) else {
            throw CommandFailure("--until \(until)", "must be a date such as 2027-01-31 or 2027-01-31T18:00:00Z")
        }
        guard end > now else { throw CommandFailure("--until \(until)", "is in the past") }
        return end
    }

    /// The end of a local day, or an instant.
    private static func date(_ text: String) -> Int64? {
        if text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil {
            let parts = text.split(separator: "-").compactMap { Int($0) }
            let day = DateComponents(year: parts[0], month: parts[1], day: parts[2])
            let calendar = Calendar(identifier: .gregorian)
            guard day.isValidDate(in: calendar), let start = calendar.date(from: day),
                let end = calendar.date(byAdding: .day, value: 1, to: start)
            else { return nil }
            return Int64(end.timeIntervalSince1970)
        }
        return ISO8601Time(text).flatMap { $0.hasZone ? $0.seconds : nil }
    }

    /// An instant in local time.
    static func text(_ seconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let numbers = [parts.month, parts.day, parts.hour, parts.minute].map { number in
            let digits = "\(number ?? 0)"
            return digits.count < 2 ? "0" + digits : digits
        }
        return "\(parts.year ?? 0)-\(numbers[0])-\(numbers[1]) \(numbers[2]):\(numbers[3])"
    }
}

/// Rows with aligned columns.
enum AccessTable {
    /// Writes the rows, or a message if there are none.
    static func write(_ rows: [[String]], orSay nothing: String) {
        if rows.isEmpty { return StandardError.write("segue: \(nothing)\n") }
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count) }
            StandardOutput.write(cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces) + "\n")
        }
    }
}
