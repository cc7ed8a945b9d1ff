import SegueProxy
import Testing

@Suite struct `Estimate of unread bytes` {
    /// The announced window and the acknowledged bytes, as measured on the loopback interface of Linux 6.18; and the
    /// bytes that were truly unread.
    private static let nothingRead = [
        (window: 65_536, taken: 0), (81_920, 1448), (67_584, 24_616), (44_032, 49_232), (23_552, 75_296),
        (10_240, 107_152), (1024, 107_152),
    ]

    @Test func `is everything since the window was greatest, if nothing is read`() {
        var unread = UnreadBytes()
        var counts: [Int] = []
        for (window, taken) in Self.nothingRead { counts.append(unread.count(window: window, acknowledged: taken)) }
        #expect(counts[1] == 0)
        for (count, (_, taken)) in zip(counts, Self.nothingRead).dropFirst(2) {
            #expect(count <= taken && count > taken * 3 / 4)
        }
        #expect(counts.last == 107_152 - 1448)
    }

    @Test func `is zero when the window is as great as before, and small if it almost is`() {
        var unread = UnreadBytes()
        for (window, taken) in Self.nothingRead { _ = unread.count(window: window, acknowledged: taken) }
        #expect(unread.count(window: 72_920, acknowledged: 107_152) == 13_500)
        #expect(unread.count(window: 81_920, acknowledged: 107_152) == 0)
        // Further bytes count from here.
        #expect(unread.count(window: 71_920, acknowledged: 108_600) == 1448)
    }

    @Test func `recovers when a system permanently announces less`() {
        var unread = UnreadBytes()
        _ = unread.count(window: 100_000, acknowledged: 0)
        var last = 0
        for taken in stride(from: 10_000, through: 3_000_000, by: 10_000) {
            last = unread.count(window: 80_000, acknowledged: taken)
            if taken == 500_000 { #expect(last == 30_000) }
        }
        #expect(last == 0)
    }

    /// A window of 60,000 of 100,000 bytes may still be announced although everything is read: only 120,000 and more
    /// are announced anew.
    @Test(arguments: [
        (60_000, 5, 60_000), (60_000, 6, 58_552), (60_000, 8, 54_208), (60_000, 1000, 0), (20_000, 64, 80_000),
        (20_000, 65, 78_552),
    ])
    func `shrinks without announcements`(window: Int, looks: Int, count: Int) {
        var unread = UnreadBytes()
        _ = unread.count(window: 100_000, acknowledged: 0)
        #expect(unread.count(window: window, acknowledged: 80_000, looks: looks) == count)
    }

    @Test func `is never negative`() {
        var unread = UnreadBytes()
        for (window, taken) in [(0, 0), (Int(UInt32.max), 5), (0, 3), (0, Int.max / 2), (7, 0)] {
            #expect(unread.count(window: window, acknowledged: taken) >= 0)
        }
    }
}
