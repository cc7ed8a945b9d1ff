import SegueConcurrency
import SegueFFmpeg
import Testing

@testable import SeguePackager

@Suite struct `Values made ahead` {
    @Test(arguments: [1, 2, 5])
    func `are computed in order, within the limit`(threads: Int) {
        let made = Monitor([Int]())
        let ahead = ValuesAhead(3..<40, threads: threads) { number in
            made.withLock { $0.append(number) }
            return number * number
        }
        for number in 3..<20 {
            #expect(ahead.value(number) == number * number)
            #expect(made.withLock { $0.max() ?? 0 } <= number + threads)
        }
        // Skipped values are dropped.
        #expect(ahead.value(30) == 900)
        #expect(ahead.value(39) == 1521)
    }
}
