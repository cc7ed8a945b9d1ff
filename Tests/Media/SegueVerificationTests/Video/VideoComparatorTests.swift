import Testing

@testable import SegueVerification

@Suite struct `Picture comparator` {
    private typealias Picture = VideoComparator.Picture

    /// Frames at 25 a second, every tenth a keyframe.
    private func pictures(_ numbers: [Int], from start: Double = 0) -> [Picture] {
        numbers.map { Picture(checksum: UInt64($0 + 1000), time: start + Double($0) / 25, isKey: $0 % 10 == 0) }
    }

    private let all = Array(0..<50)

    @Test func `the same pictures have no difference, whatever is added to their times`() {
        let comparator = VideoComparator(source: pictures(all), delivered: pictures(all, from: 10))
        #expect(comparator.differences.isEmpty)
        #expect(comparator.matched == 50)
        #expect(comparator.offsets.allSatisfy { abs($0.offset - 10) < 1e-9 })
    }

    @Test func `a lost group is missing`() {
        let comparator = VideoComparator(source: pictures(all), delivered: pictures(Array(0..<20) + Array(30..<50)))
        #expect(comparator.differences == [.init(kind: .missing, count: 10, time: 0.8)])
        let end = VideoComparator(source: pictures(all), delivered: pictures(Array(0..<45)))
        #expect(end.differences == [.init(kind: .missing, count: 5, time: 1.8)])
    }

    @Test func `a group that comes twice is repeated`() {
        let comparator = VideoComparator(source: pictures(all), delivered: pictures(Array(0..<20) + Array(10..<50)))
        #expect(comparator.differences == [.init(kind: .repeated, count: 10, time: 0.4)])
    }

    @Test func `swapped pictures are reordered`() {
        var swapped = all
        swapped.swapAt(21, 22)
        let comparator = VideoComparator(source: pictures(all), delivered: pictures(swapped))
        #expect(comparator.differences.map(\.kind) == [.reordered])
    }

    @Test func `a changed picture is altered, a foreign one is not the source's`() {
        var altered = pictures(all)
        altered[33].checksum = 7
        #expect(VideoComparator(source: pictures(all), delivered: altered).differences.map(\.kind) == [.altered])
        altered = pictures(all)
        altered.insert(Picture(checksum: 7, time: 1), at: 25)
        #expect(VideoComparator(source: pictures(all), delivered: altered).differences.map(\.kind) == [.foreign])
    }

    @Test func `what comes before the first keyframe may be left out`() {
        let source = pictures(Array(3..<50))
        let comparator = VideoComparator(source: source, delivered: pictures(Array(10..<50)))
        #expect(comparator.differences.isEmpty)
        #expect(comparator.undecodable == 7)
        #expect(VideoComparator(source: source, delivered: source).differences.isEmpty)
    }

    @Test func `hidden pictures are due right before those that are shown`() {
        var source = pictures(all)
        for index in 0..<5 { source[index].isHidden = true }
        var delivered = pictures(all, from: 10)
        let late = VideoComparator(source: source, delivered: delivered)
        #expect(late.differences.isEmpty && late.offsets.count == 45)
        #expect(late.standing(outside: 10.2...12) == 5)
        for index in 0..<5 { delivered[index].time = 10.2 - Double(5 - index) / 90000 }
        let gathered = VideoComparator(source: source, delivered: delivered)
        #expect(gathered.standing(outside: 10.2...12) == 0)
        #expect(gathered.standing(outside: 8...10.1) == 5)
        #expect(gathered.offsets.allSatisfy { abs($0.offset - 10) < 1e-9 })
    }

    @Test func `hidden pictures may be left out or be there`() {
        var source = pictures(all)
        for index in 0..<5 { source[index].isHidden = true }
        #expect(VideoComparator(source: source, delivered: source).differences.isEmpty)
        source[49].isHidden = true
        #expect(VideoComparator(source: source, delivered: pictures(Array(0..<49))).differences.isEmpty)
    }
}
