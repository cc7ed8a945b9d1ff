/// Dates as HTTP has them (RFC 9110, 5.6.7), in the one form that is still sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970; nil for what is no such date.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(where: { $0 == parts[2] }) else {
            return nil
        }
        let number = String(month + 101).dropFirst()
        return ProgramDate.seconds("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
