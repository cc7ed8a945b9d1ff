import NIOCore

/// How far sending has come at one moment.
struct SendingWatch: Sendable, Equatable {
    /// How many pieces are gone.
    var done: Int
    /// How many bytes the system has taken.
    var taken: Int
    /// How many it has not; nil where nobody knows.
    var left: Int?

    /// How many bytes a client takes in a time at the least.
    ///
    /// - Parameters:
    ///   - rate: Bytes a second.
    ///   - time: The time.
    /// - Returns: The number; 0 where any is enough.
    static func least(_ rate: Int, in time: TimeAmount) -> Int {
        let (product, isTooMuch) = Int64(max(0, rate)).multipliedReportingOverflow(by: time.nanoseconds / 1_000_000)
        return isTooMuch ? .max : Int(clamping: product / 1000)
    }

    /// Whether the client has taken so little since a moment before, while something waited for it, that it is left.
    ///
    /// - Parameters:
    ///   - last: That moment.
    ///   - least: How many bytes it has to take.
    /// - Returns: Whether that is so.
    func isTooLittle(after last: SendingWatch, least: Int) -> Bool {
        self == last || (least > 0 && (last.left ?? 0) > 0 && (left ?? 0) > 0 && taken - last.taken < least)
    }
}
