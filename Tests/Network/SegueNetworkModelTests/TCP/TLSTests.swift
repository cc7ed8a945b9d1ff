import SegueBase
import SegueNetworkModel
import Testing

@Suite struct `TLS over a simulated link` {
    private static let profile = LinkProfile(
        name: "n",
        down: .init(bitsPerSecond: 100_000_000, delay: .milliseconds(50)),
        up: .init(bitsPerSecond: 100_000_000, delay: .milliseconds(50))
    )

    private static func seconds(
        _ tls: TLSVersion?,
        on state: DownloadEstimate.ConnectionState = .new,
        over profile: LinkProfile = profile
    ) -> Double {
        DownloadEstimate(over: profile, on: state, tls: tls).seconds(1000, seed: 1) ?? .infinity
    }

    @Test func `version 1.3 costs one round trip and some bytes, version 1.2 two`() {
        let plain = Self.seconds(nil)
        #expect(abs(plain - 0.2) < 0.001)
        #expect((0.1...0.102).contains(Self.seconds(.tls13) - plain))
        #expect((0.2...0.202).contains(Self.seconds(.tls12) - plain))
    }

    @Test func `a reused connection needs no handshake`() {
        #expect(abs(Self.seconds(.tls13, on: .reused) - Self.seconds(nil, on: .reused)) < 0.0001)
    }

    @Test func `certificates take time on a slow line`() {
        var slow = Self.profile
        slow.down.rate = .constant(100_000)
        // 4300 bytes in three segments with headers.
        let time = Double(4300 + 3 * 66) * 8 / 100_000
        #expect(abs(Self.seconds(.tls13, over: slow) - Self.seconds(nil, over: slow) - 0.1 - time) < 0.03)
    }
}
