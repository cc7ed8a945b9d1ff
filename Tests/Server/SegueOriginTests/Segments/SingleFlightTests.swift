import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `Single flight` {
    private let flights = SingleFlight<String, Int>()

    @Test func `concurrent callers share the work`() async throws {
        let made = Mutex(0)
        let isMaking = Gate()
        let mayFinish = Gate()
        let first = blocking { [flights] in
            try flights.value(for: "a", cancellation: Cancellation()) { _ in
                isMaking.open()
                mayFinish.wait()
                return made.withLock {
                    $0 += 1; return $0
                }
            }
        }
        isMaking.wait()
        // Their result can only come from the first caller's work.
        let others = (0..<3).map { _ in
            blocking { [flights] in try flights.value(for: "a", cancellation: Cancellation()) { _ in -1 } }
        }
        flights.waitForCallers(4, of: "a")
        mayFinish.open()
        #expect(try await first.value == 1)
        for other in others { #expect(try await other.value == 1) }
        #expect(try flights.value(for: "a", cancellation: Cancellation()) { _ in 7 } == 7)
    }

    @Test func `work without callers is cancelled`() async throws {
        let isMaking = Gate()
        let isCancelled = Gate()
        let cancellation = Cancellation()
        let call = blocking { [flights] in
            try flights.value(for: "a", cancellation: cancellation) { work in
                _ = work.whenCancelled { isCancelled.open() }
                isMaking.open()
                isCancelled.wait()
                throw OriginFailure.cancelled
            }
        }
        isMaking.wait()
        cancellation.cancel()
        await #expect(throws: OriginFailure.self) { try await call.value }
    }

    @Test func `work continues for the remaining callers`() async throws {
        let isMaking = Gate()
        let mayFinish = Gate()
        let leaver = Cancellation()
        let first = blocking { [flights] in
            try flights.value(for: "a", cancellation: leaver) { work in
                isMaking.open()
                mayFinish.wait()
                return work.isCancelled ? 0 : 5
            }
        }
        isMaking.wait()
        let second = blocking { [flights] in try flights.value(for: "a", cancellation: Cancellation()) { _ in -1 } }
        flights.waitForCallers(2, of: "a")
        leaver.cancel()
        mayFinish.open()
        #expect(try await second.value == 5)
        #expect(try await first.value == 5)
    }

    @Test func `a cancelled caller returns at once`() async throws {
        let isMaking = Gate()
        let mayFinish = Gate()
        let first = blocking { [flights] in
            try flights.value(for: "a", cancellation: Cancellation()) { _ in
                isMaking.open()
                mayFinish.wait()
                return 5
            }
        }
        isMaking.wait()
        let leaver = Cancellation()
        let second = blocking { [flights] in try flights.value(for: "a", cancellation: leaver) { _ in -1 } }
        flights.waitForCallers(2, of: "a")
        leaver.cancel()
        let failure = await #expect(throws: OriginFailure.self) { try await second.value }
        #expect(failure?.code == "cancelled")
        mayFinish.open()
        #expect(try await first.value == 5)
    }

    @Test func `a failure reaches all callers and is not cached`() throws {
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try flights.value(for: "a", cancellation: Cancellation()) { _ in throw Broken() }
        }
        #expect(try flights.value(for: "a", cancellation: Cancellation()) { _ in 1 } == 1)
    }
}
