import SegueConcurrency
import SegueFFmpeg
import Testing

@testable import SeguePackager

@Suite struct `A value made ahead` {
    @Test func `is computed once, for all callers`() {
        let (made, mayBeMade) = (Monitor(0), Monitor(false))
        let ahead = ValueAhead {
            mayBeMade.wait(for: { $0 })
            return made.withLock { count in
                count += 1
                return count
            }
        }
        #expect(made.withLock { $0 } == 0)
        mayBeMade.withLock { $0 = true }
        #expect(ahead.value == 1)
        #expect(ahead.value == 1)
    }
}
