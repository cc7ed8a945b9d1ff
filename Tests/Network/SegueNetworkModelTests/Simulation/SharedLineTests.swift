import SegueBase
import SegueNetworkModel
import Testing

/// Two parallel downloads as measured on Linux: CUBIC through a router's own `tbf`, with nginx on another host (see
/// Measured/README.md).
@Suite struct `Connections on a shared line` {
    /// Kilobits per second and one-way delays in milliseconds, down and up.
    struct Network: Sendable {
        var (down, up): (Int64, Int64)
        var delays: (down: Int, up: Int)

        static let threeG = Network(down: 780, up: 330, delays: (100, 100))
        static let fourG = Network(down: 9000, up: 9000, delays: (85, 85))
        static let lte = Network(down: 50_000, up: 10_000, delays: (50, 65))

        var profile: LinkProfile {
            LinkProfile(
                name: "test",
                down: .init(bitsPerSecond: down * 1000, delay: .milliseconds(delays.down)),
                up: .init(bitsPerSecond: up * 1000, delay: .milliseconds(delays.up))
            )
        }
    }

    /// The first of two downloads begins on a connection that has carried three small ones, the second on a new one.
    ///
    /// Their sizes, the delay of the second in milliseconds, and their ends in seconds from the beginning of the first.
    @Test(arguments: [
        (Network.threeG, 240_000, 52_000, 50, 3.383, 2.765), (.threeG, 240_000, 52_000, 300, 3.277, 3.384),
        (.threeG, 240_000, 240_000, 50, 3.710, 5.399), (.threeG, 52_000, 240_000, 400, 0.806, 3.517),
        (.fourG, 1_000_000, 100_000, 30, 1.602, 1.086), (.fourG, 1_000_000, 100_000, 300, 1.638, 1.555),
        (.fourG, 1_000_000, 1_000_000, 30, 1.665, 3.899), (.fourG, 2_000_000, 500_000, 400, 2.660, 3.782),
        (.lte, 1_000_000, 100_000, 30, 0.824, 0.617), (.lte, 1_000_000, 100_000, 300, 0.824, 0.887),
        (.lte, 1_000_000, 1_000_000, 30, 0.826, 1.124), (.lte, 2_000_000, 500_000, 400, 1.000, 1.988),
    ])
    func `share it like behind a queue of Linux`(
        network: Network,
        first: Int,
        second: Int,
        gap: Int,
        firstSeconds: Double,
        secondSeconds: Double
    ) throws {
        var pair = SharedLine(network.profile)
        let old = pair.connect()
        for _ in 0..<3 { pair.ask(old, bytes: 500); pair.run() }
        pair.run(until: pair.now + .seconds(1))
        let begun = pair.now
        pair.ask(old, bytes: first)
        pair.run(until: begun + .milliseconds(gap))
        let new = pair.connect()
        pair.ask(new, bytes: second)
        pair.run()
        let times = [old, new].map { ((pair.ends[$0] ?? .zero) - begun).seconds }
        for (modelled, measured) in zip(times, [firstSeconds, secondSeconds]) {
            #expect(abs(modelled - measured) <= max(0.06 * measured, 0.03), "\(modelled) for \(measured)")
        }
    }
}

/// Downloads over a link from a server that answers in 0.2 ms.
private struct SharedLine {
    private static let headBytes = 239
    private let link: SimulatedLink
    private var sizes: [SimulatedLink.Connection: Int] = [:]
    private(set) var now = Instant.zero
    /// The end of the latest download on each connection.
    private(set) var ends: [SimulatedLink.Connection: Instant] = [:]

    init(_ profile: LinkProfile) { link = SimulatedLink(profile, seed: 1) }

    func connect() -> SimulatedLink.Connection { link.connect(at: now) }

    mutating func ask(_ connection: SimulatedLink.Connection, bytes: Int) {
        (sizes[connection], ends[connection]) = (bytes, nil)
        link.request(bytes: 80, on: connection, at: now)
    }

    /// Processes all events up to an instant, or to the end of all downloads.
    mutating func run(until limit: Instant? = nil) {
        while let next = link.nextInstant, limit.map({ next <= $0 }) ?? (ends.count < sizes.count) {
            for (at, output) in link.advance(to: next) { take(output, at: at) }
            now = next
        }
        now = max(now, limit ?? now)
    }

    private mutating func take(_ output: LinkOutput, at now: Instant) {
        switch output {
        case .requested(let connection):
            let answer = now + .microseconds(200)
            link.respond(headBytes: Self.headBytes, bodyBytes: sizes[connection] ?? 0, on: connection, at: answer)
        case .received(let connection, let bytes):
            if bytes == Self.headBytes + (sizes[connection] ?? 0) { ends[connection] = now }
        default: break
        }
    }
}
