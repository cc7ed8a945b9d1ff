package import SegueBase

/// The parts of a response that are recorded without being reported.
package struct ResponseParts: Sendable {
    /// The size of a part.
    package let size: Int
    /// The time after which any arrival is a part.
    package let delay: Duration
    /// The size of the complete response including the head, whose arrival is reported.
    package let whole: Int
    /// The time from which on parts are reported.
    package let end: Instant

    package init(size: Int, delay: Duration, whole: Int, end: Instant) {
        (self.size, self.delay, self.whole, self.end) = (size, delay, whole, end)
    }
}
