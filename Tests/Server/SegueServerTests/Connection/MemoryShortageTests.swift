import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import Testing

@testable import SegueServer

@Suite(.timeLimit(.minutes(15))) struct `While memory is short` {
    /// What a shortage had done, and how often it has waited.
    private struct Course: Equatable {
        var spared = 0
        var ended = 0
        var waits = 0
    }

    private let course = Monitor(Course())

    /// A shortage whose waits end at once, and call something with their number.
    private func shortage(_ wait: @escaping @Sendable (Int) -> Void = { _ in }) -> MemoryShortage {
        MemoryShortage(
            spare: { [course] in course.withLock { $0.spared += 1 } },
            end: { [course] in course.withLock { $0.ended += 1 } },
            wait: { [course] in
                wait(
                    course.withLock { course in
                        course.waits += 1
                        return course.waits
                    }
                )
            }
        )
    }

    private func waitForEnd(_ count: Int) async throws -> Course {
        try await blocking { [course] in course.wait { $0.ended == count ? $0 : nil } }.value
    }

    @Test func `memory is spared, until it was not short for a while`() async throws {
        let shortage = shortage()
        shortage.note()
        #expect(try await waitForEnd(1) == Course(spared: 1, ended: 1, waits: 1 + MemoryShortage.quietLooks))
        shortage.note()
        #expect(try await waitForEnd(2).spared == 2)
    }

    @Test func `it is spared again each time that it was short, and then for as long`() async throws {
        let again = Monitor<MemoryShortage?>(nil)
        let shortage = shortage { number in
            if number == 30 { again.withLock { $0 }?.note() }
        }
        again.withLock { $0 = shortage }
        shortage.note()
        #expect(try await waitForEnd(1) == Course(spared: 2, ended: 1, waits: 31 + MemoryShortage.quietLooks))
    }
}
