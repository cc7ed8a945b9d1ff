internal import SegueBase
internal import SegueFetch

/// How long a server took for a resource: what virtual time charges for it.
///
/// Of several tries the least counts: what one took more was the machine's or the way's doing. Whole milliseconds, so that
/// two runs against a server that takes none are the same.
struct ServerTimes: Equatable {
    /// How often a resource is asked for, as far as that takes no longer than ``longestTrying``.
    static let tries = 3
    /// How long may be spent on a resource before it is asked for once more.
    static let longestTrying = Duration.seconds(2)
    /// A body that comes within this is as fast as any network here.
    private static let shortestRest = Duration.milliseconds(10)

    /// Until the first byte of its answer.
    private(set) var firstByte: Duration
    /// From there to the end.
    private(set) var rest: Duration

    init(_ answer: TitleAnswer) { (firstByte, rest) = (answer.firstByte, answer.rest) }

    /// Takes another try.
    mutating func take(_ answer: TitleAnswer) {
        firstByte = min(firstByte, answer.firstByte)
        rest = min(rest, answer.rest)
    }

    /// What is charged until the first byte.
    var charged: Duration { .milliseconds(Int((firstByte / .milliseconds(1)).rounded(.down))) }

    /// How many bits a second the server sends of so many bytes; nil where that takes it no time.
    func rate(of bytes: Int) -> Int? {
        guard rest >= Self.shortestRest else { return nil }
        let rate = Double(bytes) * 8 / rest.seconds
        // Two digits say how fast a server is.
        var unit = 1.0
        while rate / unit >= 100 { unit *= 10 }
        return max(1, Int((rate / unit).rounded() * unit))
    }
}
