import SegueData
import SegueNetworkModel
import Testing

@Suite struct `Parallel downloads` {
    /// A line that is full for long carries the same bytes in the same time, however many downloads share it.
    @Test(arguments: ["3g", "wifi"], [2, 4, 16])
    func `take the time of the line`(name: String, count: Int) throws {
        let rate: Int64 = name == "3g" ? 780_000 : 40_000_000
        let profile = LinkProfile(
            name: name,
            down: .init(bitsPerSecond: rate, delay: .milliseconds(20)),
            up: .init(bitsPerSecond: rate, delay: .milliseconds(20))
        )
        let size = Int(rate) / 4
        let estimate = DownloadEstimate(over: profile, on: .new, parallel: count)
        let seconds = try #require(estimate.seconds(size, seed: 1))
        // 66 bytes of headers per 1448 bytes of body, a head of 250 bytes in its own packet, and 74 bytes for the
        // handshake.
        let packets = (size + 1447) / 1448
        let line = Double(count * (size + packets * 66 + 250 + 66 + 74)) * 8 / Double(rate)
        #expect(seconds > line)
        // Handshakes, requests, and slow start take at most a dozen round trips.
        #expect(seconds < line + 0.48)
    }

    /// The bytes of unread downloads occupy the line before or during the download.
    @Test(arguments: [(0, nil), (1, TLSVersion.tls13), (3, nil)])
    func `take longer by the bytes of unread downloads`(count: Int, tls: TLSVersion?) throws {
        let profile = LinkProfile(
            name: "3g",
            down: .init(bitsPerSecond: 780_000, delay: .milliseconds(20)),
            up: .init(bitsPerSecond: 780_000, delay: .milliseconds(20))
        )
        let times = try [0, count].map { unread in
            let window = ReceiveWindow.fixed(64 << 10)
            let estimate = DownloadEstimate(over: profile, on: .new, tls: tls, unread: unread, receiveWindow: window)
            return try #require(estimate.seconds(600_000, seed: 1))
        }
        // The first of them arrives while the others and the download are still connecting.
        let line = Double(count * 65_536) * 8 / 780_000 * 1514 / 1448
        #expect(times[1] - times[0] > 0.6 * line && times[1] - times[0] < 1.1 * line || count == 0)
        #expect(count > 0 || times[1] == times[0])
    }
}
