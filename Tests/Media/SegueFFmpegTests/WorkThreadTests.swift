import Foundation
import SegueConcurrency
import Testing

@testable import SegueFFmpeg

@Suite struct `Work on threads of its own` {
    @Test(arguments: [0, 1, 5])
    func `waits until all threads have ended`(count: Int) {
        let ended = Monitor(0)
        let (here, arrived) = (ObjectIdentifier(Thread.current), Monitor<Set<ObjectIdentifier>>([]))
        WorkThread.run("test", count: count) {
            // Each waits for the others, so they run on separate threads.
            let thread = ObjectIdentifier(Thread.current)
            arrived.withLock { _ = $0.insert(thread) }
            arrived.wait(for: { $0.count == count })
            ended.withLock { $0 += 1 }
        }
        #expect(ended.withLock { $0 } == count)
        #expect(!arrived.withLock { $0.contains(here) })
    }

    @Test(arguments: [("a name", "a name"), ("a name that is longer than the system's", "a name that is ")])
    func `is found under its name, as far as the system keeps it`(given: String, kept: String) {
        let name = Monitor<String?>(nil)
        WorkThread.begin(given) {
            let found = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            name.withLock { $0 = found.map { String($0.dropLast()) } ?? "" }
        }
        #expect(name.wait { $0 } == kept)
    }
}
