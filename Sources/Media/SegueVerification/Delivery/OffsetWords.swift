internal import SegueBase

extension Message {
    /// A time offset in the unit in which a person reads it: milliseconds, seconds, or hours, minutes, and seconds.
    static func offset(_ seconds: Double) -> Message {
        guard abs(seconds) >= 1 else { return "\((seconds * 1_000_000).rounded() / 1000) ms" }
        guard abs(seconds) >= 120 else { return "\((seconds * 1000).rounded() / 1000) s" }
        let whole = Int(abs(seconds).rounded())
        let sign = seconds < 0 ? "-" : ""
        let hours = whole >= 3600 ? "\(whole / 3600) h " : ""
        return Message(quoting: "\(sign)\(hours)\(whole / 60 % 60) min \(whole % 60) s")
    }
}
