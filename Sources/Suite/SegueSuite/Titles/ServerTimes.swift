internal import SegueBase
internal import SegueFetch

/// The response time of a server for a resource, as virtual time charges it.
///
/// The fastest of several tries counts: delays of the others are due to the machine or the network. Times are whole
/// milliseconds, so that two runs against a fast server are the same.
struct ServerTimes: Equatable {
    /// The number of tries, within ``longestTrying``.
    static let tries = 3
    /// The total time after which a resource is not tried again.
    static let longestTrying = Duration.seconds(2)
    /// A body that arrives within this time is faster than any simulated network.
    private static let shortestRest = Duration.milliseconds(10)

    /// The time to first byte.
    private(set) var firstByte: Duration
    /// The time from the first byte to the end.
    private(set) var rest: Duration

    init(_ answer: TimedAnswer) { (firstByte, rest) = (answer.firstByte, answer.rest) }

    /// Adds another try.
    mutating func take(_ answer: TimedAnswer) {
        firstByte = min(firstByte, answer.firstByte)
        rest = min(rest, answer.rest)
    }

    /// The charged time to first byte.
    var charged: Duration { .milliseconds(Int((firstByte / .milliseconds(1)).rounded(.down))) }

    /// The server's bit rate for a body; nil if it is too fast to matter.
    func rate(of bytes: Int) -> Int? {
        guard rest >= Self.shortestRest else { return nil }
        let rate = Double(bytes) * 8 / rest.seconds
        // Two digits suffice for a server's rate.
        var unit = 1.0
        while rate / unit >= 100 { unit *= 10 }
        return max(1, Int((rate / unit).rounded() * unit))
    }
}
