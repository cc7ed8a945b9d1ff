import SegueBase
import SegueFetch
import SegueNetworkModel
import SegueTestSupport
import Testing

/// A response that is not read for a while.
@Suite struct `Unread responses` {
    private static let network = LinkProfile(
        name: "test",
        down: LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(10)),
        up: LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(10))
    )

    private func run() -> SimulatedRun {
        SimulatedRun(Self.network) { _ in
            let body = [UInt8](repeating: 7, count: 500_000)
            let headers = [(name: "content-length", value: "\(body.count)")]
            return (FetchResponse(status: 200, headers: headers, url: "", serverAddress: ""), body)
        }
    }

    @Test func `deliver nothing, and free the line when the window is full`() {
        let run = run()
        var unread = FetchRequest(id: FetchID(1), url: "http://h/unread")
        unread.isUnread = true
        run.start(unread)
        run.start(FetchRequest(id: FetchID(2), url: "http://h/read"))
        run.run()
        #expect(!run.events.contains { $0.event.id == FetchID(1) })
        // Alone it would take 0.53 s; exactly 92 KiB of the other one cross the line meanwhile.
        let end = run.time { $0.isFinish && $0.id == FetchID(2) }
        #expect((0.6..<0.75).contains(end), "\(end)")
    }

    @Test func `are delivered completely once they are read`() {
        let run = run()
        var unread = FetchRequest(id: FetchID(1), url: "http://h/unread")
        unread.isUnread = true
        run.start(unread)
        run.run()
        #expect(run.events.isEmpty)
        run.fetcher.read(FetchID(1), at: run.loop.now)
        run.run()
        #expect(run.result(of: 1).isFinished && run.result(of: 1).body.count == 500_000)
    }

    @Test func `do not share connections between lanes`() {
        func handshakes(_ lane: String) -> Double {
            let run = run()
            run.start(FetchRequest(id: FetchID(1), url: "http://h/a"))
            run.run()
            let began = run.time(where: \.isFinish)
            var second = FetchRequest(id: FetchID(2), url: "http://h/b")
            second.lane = lane
            run.start(second)
            run.run()
            return run.time { if case .response(FetchID(2), _) = $0 { true } else { false } } - began
        }
        // A new connection costs a round trip.
        #expect(abs(handshakes("own") - handshakes("") - 0.02) < 0.001)
    }
}
