import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A film that stands still` {
    @Test func `shows a picture again where it stands for long`() {
        let times: [Int64] = [0, 1000, 13_000, 26_000, 1_826_001]
        let held = HeldFrames(times: times, packets: [0, 2, 1, 3, 4], end: 1_839_001, timescale: 1000)
        // 12 s are not too long, 13 s are; half an hour and a millisecond is a fault.
        #expect(held.times == [0, 1000, 13_000, 19_500, 26_000, 1_826_001, 1_832_501])
        #expect(held.packets == [0, 2, 1, 1, 3, 4, 4])
    }

    private static func segments(
        _ presentation: Presentation,
        numbers: [Int],
        container: SegmentContainer
    ) throws -> [Int: [UInt8]] {
        try `A film that is transcoded`.segments(presentation, numbers: numbers, container: container)
    }

    @Test(arguments: SegmentContainer.allCases)
    func `is served in segments like any other, its picture there in each`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 80, container: "matroska", videoCodec: "mpeg4", bFrames: 0)
        clip.durations = [1, 1, 1000]
        let path = try clip.write(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(presentation.plan.segments.allSatisfy { $0.duration < Rational(10) })
        let numbers = presentation.plan.segments.map(\.number)
        let straight = try Self.segments(presentation, numbers: numbers, container: container)
        let other = try PresentationTests.open(path)
        #expect(try Self.segments(other, numbers: numbers.reversed(), container: container) == straight)

        let source = try Decoded(MediaInput(path: path), .video)
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: container)
        let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
        let times = delivered.times.map {
            ($0 - presentation.plan.timestampOffset + presentation.plan.origin).rounded(scale: 1000)
        }
        for time in source.times { #expect(times.contains(time.rounded(scale: 1000))) }
        #expect(zip(times, times.dropFirst()).allSatisfy { 0 < $1 - $0 && $1 - $0 <= 12_000 })
    }
}
