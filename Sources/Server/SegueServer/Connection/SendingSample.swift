import NIOCore

/// The progress of sending at one time.
struct SendingSample: Sendable, Equatable {
    /// The number of completed pieces.
    var done: Int
    /// The number of bytes that the system accepted.
    var taken: Int
    /// The number of bytes that it did not accept yet; nil if it is unknown.
    var left: Int?

    /// The minimum number of bytes in a period; 0 for no minimum.
    static func least(_ rate: Int, in time: TimeAmount) -> Int {
        let (product, isTooMuch) = Int64(max(0, rate)).multipliedReportingOverflow(by: time.nanoseconds / 1_000_000)
        return isTooMuch ? .max : Int(clamping: product / 1000)
    }

    /// Returns true if the client received too little since an earlier time while bytes were waiting.
    func isTooLittle(after last: SendingSample, least: Int) -> Bool {
        self == last || (least > 0 && (last.left ?? 0) > 0 && (left ?? 0) > 0 && taken - last.taken < least)
    }
}
