import Foundation
import Testing

@testable import SegueTime

/// What Segue uses of Swift's standard library that is not promised to stay is there, in the release that it is said to
/// hold for.
@Suite struct ReplacedExecutorsTests {
    @Test func holdForThisRelease() {
        #if compiler(>=6.4)
            Issue.record("a later Swift than \(ReplacedExecutors.releases): see whether ReplacedExecutors holds")
        #endif
        #expect(ReplacedExecutors.areInPlace)
    }

    private actor Adder {
        private(set) var sum = 0
        func add(_ number: Int) { sum += number }
    }

    @Test func leaveTheActorsOfOthersAlone() async throws {
        let outside = Adder()
        // An actor's turn is no task: one outside must not be taken for one that the run knows.
        async let isOver: Void = virtualTime {
            let within = Adder()
            for _ in 0..<2000 {
                await within.add(1)
                try await Task.sleep(for: .seconds(1))
            }
        }
        for _ in 0..<2000 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 { group.addTask { await outside.add(number) } }
            }
        }
        try await isOver
        #expect(await outside.sum == 12_000)
    }

    @Test func tellTasksApart() async throws {
        // A job that comes back from outside is known by its task; without that it would go on in real time.
        try await virtualTime(escapes: .allowed) {
            let before = VirtualTime.elapsed
            await withCheckedContinuation { continuation in
                Thread { continuation.resume() }.start()
            }
            #expect(VirtualTime.isActive && VirtualTime.elapsed == before)
        }
    }
}
