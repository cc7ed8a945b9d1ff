import Foundation
import Testing

@testable import SegueTime

/// The unstable interfaces of Swift's standard library that Segue uses exist in the supported release.
@Suite struct ReplacedExecutorsTests {
    @Test func `the supported release has them`() {
        #if compiler(>=6.4)
            Issue.record("a later Swift than \(ReplacedExecutors.releases): see whether ReplacedExecutors holds")
        #endif
        #expect(ReplacedExecutors.areInPlace)
    }

    private actor Adder {
        private(set) var sum = 0
        func add(_ number: Int) { sum += number }
    }

    @Test func `outside actors are not affected`() async throws {
        let outside = Adder()
        // An actor's job is not a task: a job outside must not be attributed to the run.
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

    @Test func `a resumption from outside stays in its run`() async throws {
        // A job from outside is identified by its task. Otherwise, it would continue in real time.
        try await virtualTime(escapes: .allowed) {
            let before = VirtualTime.elapsed
            await withCheckedContinuation { continuation in
                Thread { continuation.resume() }.start()
            }
            #expect(VirtualTime.isActive && VirtualTime.elapsed == before)
        }
    }
}
