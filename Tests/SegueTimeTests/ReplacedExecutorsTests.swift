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
