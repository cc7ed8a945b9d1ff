import Testing

@testable import SegueVerification

@Suite struct `Video comparator` {
    private typealias Frame = VideoComparator.Frame

    /// Frames at 25 per second with every tenth a keyframe.
    private func frames(_ numbers: [Int], from start: Double = 0) -> [Frame] {
        numbers.map { Frame(checksum: UInt64($0 + 1000), time: start + Double($0) / 25, isKey: $0 % 10 == 0) }
    }

    private let all = Array(0..<50)

    @Test func `equal frames have no difference at any time shift`() {
        let comparator = VideoComparator(source: frames(all), delivered: frames(all, from: 10))
        #expect(comparator.differences.isEmpty)
        #expect(comparator.matched == 50)
        #expect(comparator.offsets.allSatisfy { abs($0.offset - 10) < 1e-9 })
    }

    @Test func `a lost group is missing`() {
        let comparator = VideoComparator(source: frames(all), delivered: frames(Array(0..<20) + Array(30..<50)))
        #expect(comparator.differences == [.init(kind: .missing, count: 10, time: 0.8)])
        let end = VideoComparator(source: frames(all), delivered: frames(Array(0..<45)))
        #expect(end.differences == [.init(kind: .missing, count: 5, time: 1.8)])
    }

    @Test func `a duplicated group is repeated`() {
        let comparator = VideoComparator(source: frames(all), delivered: frames(Array(0..<20) + Array(10..<50)))
        #expect(comparator.differences == [.init(kind: .repeated, count: 10, time: 0.4)])
    }

    @Test func `swapped frames are reordered`() {
        var swapped = all
        swapped.swapAt(21, 22)
        let comparator = VideoComparator(source: frames(all), delivered: frames(swapped))
        #expect(comparator.differences.map(\.kind) == [.reordered])
    }

    @Test func `a changed frame is altered, a foreign one is not from the source`() {
        var altered = frames(all)
        altered[33].checksum = 7
        #expect(VideoComparator(source: frames(all), delivered: altered).differences.map(\.kind) == [.altered])
        altered = frames(all)
        altered.insert(Frame(checksum: 7, time: 1), at: 25)
        #expect(VideoComparator(source: frames(all), delivered: altered).differences.map(\.kind) == [.foreign])
    }

    @Test func `frames before the first keyframe may be omitted`() {
        let source = frames(Array(3..<50))
        let comparator = VideoComparator(source: source, delivered: frames(Array(10..<50)))
        #expect(comparator.differences.isEmpty)
        #expect(comparator.undecodable == 7)
        #expect(VideoComparator(source: source, delivered: source).differences.isEmpty)
    }

    @Test func `hidden frames are timed directly before displayed ones`() {
        var source = frames(all)
        for index in 0..<5 { source[index].isHidden = true }
        var delivered = frames(all, from: 10)
        let late = VideoComparator(source: source, delivered: delivered)
        #expect(late.differences.isEmpty && late.offsets.count == 45)
        #expect(late.standing(outside: 10.2...12) == 5)
        for index in 0..<5 { delivered[index].time = 10.2 - Double(5 - index) / 90000 }
        let gathered = VideoComparator(source: source, delivered: delivered)
        #expect(gathered.standing(outside: 10.2...12) == 0)
        #expect(gathered.standing(outside: 8...10.1) == 5)
        #expect(gathered.offsets.allSatisfy { abs($0.offset - 10) < 1e-9 })
    }

    @Test func `hidden frames are optional`() {
        var source = frames(all)
        for index in 0..<5 { source[index].isHidden = true }
        #expect(VideoComparator(source: source, delivered: source).differences.isEmpty)
        source[49].isHidden = true
        #expect(VideoComparator(source: source, delivered: frames(Array(0..<49))).differences.isEmpty)
    }
}
