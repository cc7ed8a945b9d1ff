import SeguePackager
import Testing

@testable import SegueWorkers

@Suite struct `The file quarantine` {
    private let now = ContinuousClock.Instant.now
    private let file = FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 2, inode: 3)

    @Test func `lasts for a time`() {
        var aside = FileQuarantine(for: .seconds(10))
        #expect(aside.reason(file, now: now) == nil)
        aside.add(file, because: "it crashed", now: now)
        #expect(aside.reason(file, now: now + .seconds(9)) == "it crashed")
        #expect(aside.count(now: now + .seconds(9)) == 1)
        #expect(aside.reason(file, now: now + .seconds(10)) == nil)
        #expect(aside.count(now: now + .seconds(10)) == 0)
    }

    @Test func `ends when the file changes`() {
        var aside = FileQuarantine(for: .seconds(10))
        aside.add(file, because: "it crashed", now: now)
        let changed = FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 3, inode: 3)
        #expect(aside.reason(changed, now: now) == nil)
    }

    @Test func `is bounded, and drops the oldest entries`() {
        var aside = FileQuarantine(for: .seconds(10))
        for number in 0..<2000 {
            let file = FileIdentity(path: "/\(number)", size: 1, modifiedNanoseconds: 2, inode: 3)
            aside.add(file, because: "it crashed", now: now + .nanoseconds(number))
        }
        #expect(aside.count(now: now) == 1024)
        let last = FileIdentity(path: "/1999", size: 1, modifiedNanoseconds: 2, inode: 3)
        #expect(aside.reason(last, now: now) != nil)
    }
}
