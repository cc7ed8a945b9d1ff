import SegueBase
import Testing

@testable import SeguePackager

@Suite struct `A packed list of times` {
    @Test(arguments: [0, 1, 63, 64, 65, 1000])
    func `returns its input, including extreme values`(count: Int) {
        var random = SeededRandom(seed: 5)
        let times = (0..<count).map { number -> Int64 in
            switch number % 131 {
            case 0: .min
            case 1: .max
            default: Int64(number) * 3003 + Int64.random(in: -5...5000, using: &random)
            }
        }
        let list = TimeList(times)
        #expect(Array(list) == times)
        #expect(list.indices.reversed().map { list[$0] } == times.reversed())
        #expect(list == TimeList(times))
    }

    @Test func `finds a time like an array`() {
        let times = (0..<500).map { Int64($0) * 1024 }
        let list = TimeList(times)
        for wished in [Int64(-1), 0, 1, 1024, 51199, 51200, 511_999, 600_000] {
            #expect(list.partitioningIndex { $0 >= wished } == times.partitioningIndex { $0 >= wished })
        }
    }

    @Test func `rounds times to other units like rationals`() {
        let bases = [Rational(1, 1000), Rational(1, 48000), Rational(1, 90000), Rational(1001, 30000), Rational(1, 3)]
        let times: [Int64] = [0, 1, -1, 2, 5, -7, 12345, -99_999_999, 1 << 40, -(1 << 60), .max, .min + 1]
        for base in bases {
            for rate in [Int64(1), 2, 1000, 44100, 48000] {
                let scale = TickScale(from: base, rate: rate)
                for time in times { #expect(scale.rounded(time) == (Rational(time) * base).rounded(scale: rate)) }
            }
        }
    }

    @Test(arguments: [0, 1, 60, 64], [0, 3, 64, 200])
    func `stores even steps like individual times`(before: Int, count: Int) {
        let first = (0..<before).map { Int64($0 * $0) }
        let even = (0..<count).map { 7 + Int64($0) * 1024 }
        var list = TimeList(first)
        list.append(from: 7, step: 1024, count: count)
        list.append(5)
        #expect(Array(list) == first + even + [5])
    }
}
