/// HTTP's time format: `Sat, 21 Nov 2026 03:08:09 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    package static func text(secondsSince1970 seconds: Int64) -> String {
        let time = UTCTime(secondsSince1970: seconds)
        let day = time.day.number
        let (year, month, date) = time.day.parts
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(day - day.floorDivided(by: 7) * 7)]
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekday), \(date.padded(to: 2)) \(names[Int(month) - 1]) \(year.padded(to: 4)) \(time.clock) GMT"
    }
}
