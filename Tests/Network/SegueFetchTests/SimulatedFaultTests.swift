import SegueBase
import SegueFetch
import SegueNetworkModel
import SegueTestSupport
import Testing

@Suite struct `Faults in virtual time` {
    private static func run(
        _ effect: RequestFault.Effect?,
        portals: [LinkProfile.Spell] = [],
        handovers: [LinkProfile.Spell] = [],
        bytes: Int = 100_000,
        range: FetchRange? = nil,
        requests: Int = 1
    ) -> SimulatedRun {
        let direction = LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(50))
        var network = LinkProfile(name: "test", down: direction, up: direction)
        (network.handovers, network.portals) = (handovers, portals)
        if let effect { network.faults = [RequestFault(kinds: [.segment], effect: effect)] }
        let run = SimulatedRun(network) { request in
            var body = (0..<bytes).map { UInt8(truncatingIfNeeded: $0) }
            var status = 200
            if let range = request.range {
                body = Array(body[Int(range.offset)..<Int(range.offset + range.length)])
                status = 206
            }
            let headers = [(name: "content-length", value: "\(body.count)")]
            return (FetchResponse(status: status, headers: headers, url: "", serverAddress: ""), body)
        }
        for number in 1...requests {
            run.start(FetchRequest(id: FetchID(number), url: "http://h/\(number).ts", range: range))
            run.run()
        }
        return run
    }

    private static let plainSeconds = run(nil).finish(of: 1)
    private static let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }

    @Test func `a status comes without the server's body`() {
        let result = Self.run(.status(503)).result(of: 1)
        #expect(result.isFinished && result.response?.status == 503 && result.body.isEmpty)
    }

    @Test func `only selected requests meet a fault`() {
        let run = Self.run(.status(503))
        run.start(FetchRequest(id: FetchID(2), url: "http://h/list.m3u8"))
        run.run()
        #expect(run.result(of: 2).response?.status == 200)
    }

    @Test func `a portal redirects during its time`() {
        let run = Self.run(nil, portals: [.init(start: .zero, length: .milliseconds(500))])
        #expect(run.result(of: 1).response?.status == 302)
        #expect(run.result(of: 1).response?.headers.contains { $0.name == "location" } == true)
        run.start(FetchRequest(id: FetchID(2), url: "http://h/2.ts"))
        run.run()
        // The second request arrives at the server after 350 ms, within the time; the third does not.
        #expect(run.result(of: 2).response?.status == 302)
        run.start(FetchRequest(id: FetchID(3), url: "http://h/3.ts"))
        run.run()
        run.start(FetchRequest(id: FetchID(4), url: "http://h/4.ts"))
        run.run()
        #expect(run.result(of: 4).isFinished && run.result(of: 4).body == Self.body)
    }

    @Test func `a reset comes after the given bytes`() {
        let result = Self.run(.reset(after: 10_000)).result(of: 1)
        #expect(result.error?.reason == .connectionLost)
        #expect(result.body == Array(Self.body.prefix(10_000)))
    }

    @Test func `a truncated response ends early`() {
        let result = Self.run(.truncation(after: 10_000)).result(of: 1)
        #expect(result.error?.reason == .truncated)
        #expect(result.body == Array(Self.body.prefix(10_000)))
    }

    @Test func `a stall delays the rest`() {
        let run = Self.run(.stall(after: 30_000, length: .seconds(7)))
        #expect(run.result(of: 1).isFinished && run.result(of: 1).body == Self.body)
        // The rest takes one more transfer time, with a window that has not been idle.
        #expect((6.9...7.3).contains(run.finish(of: 1) - Self.plainSeconds))
        let times = run.events.map { $0.at.seconds }
        #expect(zip(times.dropFirst(), times).contains { (7.0...7.2).contains($0 - $1) })
    }

    @Test func `a stall longer than the patience fails`() {
        #expect(Self.run(.stall(after: 0, length: .seconds(60))).result(of: 1).error?.reason == .timedOut)
    }

    @Test func `a larger length makes the client wait, a smaller one truncates`() {
        #expect(Self.run(.wrongLength(by: 5)).result(of: 1).error?.reason == .timedOut)
        let short = Self.run(.wrongLength(by: -5)).result(of: 1)
        #expect(short.isFinished && short.body == Array(Self.body.dropLast(5)))
        #expect(short.response?.headers.first { $0.name == "content-length" }?.value == "99995")
    }

    @Test func `a slow close announces no length, and ends later`() {
        let run = Self.run(.slowClose(.seconds(3)))
        #expect(run.result(of: 1).isFinished && run.result(of: 1).body == Self.body)
        #expect(run.result(of: 1).response?.headers.isEmpty == true)
        #expect(abs(run.finish(of: 1) - Self.plainSeconds - 3) < 0.01)
    }

    @Test func `corruption inverts the given bytes only`() {
        let result = Self.run(.corruption(bytes: 3, after: 1000)).result(of: 1)
        let different = zip(result.body, Self.body).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        #expect(result.isFinished && different == [1000, 1001, 1002])
    }

    @Test func `a wrong range has other bytes with the right head`() {
        let result = Self.run(.wrongRange(by: 188), range: FetchRange(offset: 1000, length: 500)).result(of: 1)
        #expect(result.isFinished && result.body == Array(Self.body[1188..<1688]))
        #expect(Self.run(.wrongRange(by: 188)).result(of: 1).body == Self.body)
    }

    @Test func `slices have pauses in between`() {
        let run = Self.run(.slices(bytes: 10_000, pause: .milliseconds(200)))
        #expect(run.result(of: 1).isFinished && run.result(of: 1).body == Self.body)
        // Nine pauses, and then the transfer of the last slice.
        #expect((2.0...2.1).contains(run.finish(of: 1)))
    }

    @Test func `a limit closes a connection after its total bytes`() {
        let run = Self.run(.limit(bytes: 250_000), requests: 4)
        #expect((1...2).allSatisfy { run.result(of: $0).isFinished })
        #expect(run.result(of: 3).error?.reason == .truncated && run.result(of: 3).body.count < 50_000)
        // The next connection has its own count.
        #expect(run.result(of: 4).isFinished)
    }

    @Test func `a handover fails running requests and idle connections`() {
        let cut = Self.run(nil, handovers: [.init(start: .milliseconds(250), length: .milliseconds(100))])
        #expect(cut.result(of: 1).error?.reason == .connectionLost)
        let idle = Self.run(nil, handovers: [.init(start: .seconds(5), length: .milliseconds(100))], requests: 1)
        let now = idle.loop.now
        #expect(now >= Instant(seconds: 5))
        idle.start(FetchRequest(id: FetchID(2), url: "http://h/2.ts"))
        idle.run()
        // A new handshake.
        #expect(idle.result(of: 2).isFinished && idle.finish(of: 2) - now.seconds > Self.plainSeconds - 0.01)
    }

    @Test func `https costs one more round trip`() {
        let run = SimulatedRun(
            LinkProfile(
                name: "n",
                down: .init(bitsPerSecond: 8_000_000, delay: .milliseconds(50)),
                up: .init(bitsPerSecond: 8_000_000, delay: .milliseconds(50))
            )
        ) { _ in (FetchResponse(status: 200, headers: [], url: "", serverAddress: ""), [1]) }
        run.start(FetchRequest(id: FetchID(1), url: "https://h/a"))
        run.run()
        #expect((0.3...0.31).contains(run.finish(of: 1)))
    }
}
