import Foundation
import SegueTime
import Testing

/// A barrier on a concurrent queue runs alone: after all preceding work, and before all following work.
@Suite struct VirtualBarrierTests {
    /// Puts two blocks, a barrier, and two more blocks on a concurrent queue; each takes ten seconds.
    private func around(
        seed: UInt64 = 0,
        _ putBarrier: @escaping @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void
    ) async throws -> [String] {
        let noted = Noted<String>()
        try await virtualTime(seed: seed) {
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            let put = { (name: String) in
                queue.async {
                    noted.note("\(second) \(name) begins")
                    sleep(10)
                    noted.note("\(second) \(name) ends")
                }
            }
            put("a")
            put("b")
            putBarrier(queue) {
                noted.note("\(second) barrier begins")
                sleep(10)
                noted.note("\(second) barrier ends")
            }
            put("c")
            put("d")
            try await Task.sleep(for: .seconds(100))
        }
        return noted.all
    }

    private static let barriers: [@Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void] = [
        { $0.async(flags: .barrier, execute: $1) },
        { $0.async(qos: .utility, flags: .barrier, execute: $1) },
        { $0.async(group: DispatchGroup(), flags: .barrier, execute: $1) },
        { $0.async(execute: DispatchWorkItem(flags: [.barrier, .detached], block: $1)) },
        { DispatchGroup().notify(queue: $0, work: DispatchWorkItem(flags: .barrier, block: $1)) },
    ]

    @Test(arguments: 0..<5) func `a barrier runs alone, between preceding and following work`(way: Int) async throws {
        #expect(
            try await around(VirtualBarrierTests.barriers[way]) == [
                "0 a begins", "0 b begins", "10 a ends", "10 b ends", "10 barrier begins", "20 barrier ends",
                "20 c begins", "20 d begins", "30 c ends", "30 d ends",
            ]
        )
    }

    @Test(arguments: 1..<30 as Range<UInt64>) func `a barrier holds in any order`(seed: UInt64) async throws {
        let all = try await around(seed: seed, VirtualBarrierTests.barriers[0])
        #expect(Set(all[..<4]) == ["0 a begins", "0 b begins", "10 a ends", "10 b ends"])
        #expect(all[4..<6] == ["10 barrier begins", "20 barrier ends"])
        #expect(Set(all[6...]) == ["20 c begins", "20 d begins", "30 c ends", "30 d ends"])
    }

    @Test func `a delayed barrier takes its place when it is due`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            queue.async { sleep(10) }
            queue.asyncAfter(deadline: .now() + 5, flags: .barrier) { noted.note("\(second) barrier") }
            queue.asyncAfter(deadline: .now() + 4) { noted.note("\(second) before") }
            queue.asyncAfter(deadline: .now() + 6) { noted.note("\(second) behind") }
            try await Task.sleep(for: .seconds(20))
        }
        #expect(noted.all == ["4 before", "10 barrier", "10 behind"])
    }

    @Test(arguments: [false, true])
    func `a synchronous barrier waits for all preceding work`(asItem: Bool) async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            let body = { @Sendable in
                dispatchPrecondition(condition: .onQueueAsBarrier(queue))
                sleep(10)
                noted.note("\(second) barrier")
            }
            let put = {
                if asItem { queue.sync(execute: DispatchWorkItem(flags: .barrier, block: body)) }
                if !asItem { queue.sync(flags: .barrier, execute: body) }
            }
            // Nothing precedes the first.
            put()
            queue.async {
                sleep(5)
                noted.note("\(second) before")
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
                queue.sync { noted.note("\(second) behind") }
            }
            put()
            await VirtualTime.settle()
        }
        #expect(noted.all == ["10 barrier", "15 before", "25 barrier", "25 behind"])
    }

    @Test func `a reader does not wait for readers`() async throws {
        let noted = Noted<String>()
        try await virtualTime {
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            for _ in 0..<3 { queue.async { sleep(10) } }
            queue.sync { noted.note("\(second) read") }
            queue.async {
                dispatchPrecondition(condition: .onQueue(queue))
                queue.sync { noted.note("\(second) read within") }
            }
            await VirtualTime.settle()
            // A global queue has no barriers.
            DispatchQueue.global().async { sleep(10) }
            DispatchQueue.global().sync(flags: .barrier) { noted.note("\(second) global") }
        }
        #expect(noted.all == ["0 read", "0 read within", "0 global"])
    }

    @Test func `a barrier that waits for itself is stuck`() async throws {
        let error = await #expect(throws: VirtualTimeError.self) {
            try await virtualTime(patience: .seconds(3)) {
                let queue = DispatchQueue(label: "films", attributes: .concurrent)
                queue.async { queue.sync(flags: .barrier) {} }
                await VirtualTime.settle()
                queue.sync(flags: .barrier) {}
            }
        }
        guard case .stuck(_, let waits) = error else { throw try #require(error) }
        #expect(waits.count == 2 && waits.allSatisfy { $0.contains("the queue films, by sync") })
    }

    @Test func `a queue at a reused address is a new queue`() async throws {
        try await virtualTime {
            for _ in 0..<20 {
                DispatchQueue(label: "serial").sync {}
                let begin = VirtualTime.elapsed
                let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
                for _ in 0..<3 { queue.async { sleep(10) } }
                queue.sync(flags: .barrier) {}
                #expect(VirtualTime.elapsed - begin == .seconds(10))
            }
        }
    }
}

/// The present second of virtual time.
private var second: Int64 { VirtualTime.elapsed.components.seconds }
