import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import Testing

@testable import SegueServer

@Suite struct `A memory shortage` {
    /// The actions of a shortage and its number of waits.
    private struct Course: Equatable {
        var spared = 0
        var ended = 0
        var waits = 0
    }

    private let course = Monitor(Course())

    /// A shortage whose waits end at once and call a function with their number.
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

    @Test func `saves memory until there was no shortage for a while`() async throws {
        let shortage = shortage()
        shortage.note()
        #expect(try await waitForEnd(1) == Course(spared: 1, ended: 1, waits: 1 + MemoryShortage.quietLooks))
        shortage.note()
        #expect(try await waitForEnd(2).spared == 2)
    }

    @Test func `restarts its time with each new shortage`() async throws {
        let again = Monitor<MemoryShortage?>(nil)
        let shortage = shortage { number in
            if number == 30 { again.withLock { $0 }?.note() }
        }
        again.withLock { $0 = shortage }
        shortage.note()
        #expect(try await waitForEnd(1) == Course(spared: 2, ended: 1, waits: 31 + MemoryShortage.quietLooks))
    }
}
