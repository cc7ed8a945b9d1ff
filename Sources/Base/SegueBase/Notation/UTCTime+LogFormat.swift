extension UTCTime {
    /// The moment in the format of web server access logs: `22/Nov/2026:16:04:55 +0000`.
    package var inAccessLog: String {
        let (year, month, day) = day.parts
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(day.padded(to: 2))/\(names[Int(month) - 1])/\(year.padded(to: 4)):\(clock) +0000"
    }
}
