import Foundation
import SegueBase
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SeguePackager
@testable import SegueVerification

@Suite struct `Times of a delivery` {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    @Test func `late audio timestamps are reported in milliseconds`() throws {
        let late = try files.report(on: files.made("film.mp4")) { segments in
            for index in segments.indices { FragmentEdits.move(track: 1, by: 512, in: &segments[index]) }
        }
        #expect(files.rules(late) == [.avOffset])
        #expect(abs((late.metrics.avOffsetMilliseconds ?? 0) - 64) < 0.1)
        let once = try files.report(on: files.made("film.mp4")) { FragmentEdits.move(track: 1, by: 160, in: &$0[2]) }
        #expect(files.rules(once) == [.soundTime])
    }

    @Test func `late video timestamps are reported`() throws {
        let report = try files.report(on: files.made("film.mp4")) { FragmentEdits.move(track: 0, by: 1000, in: &$0[2]) }
        #expect(files.rules(report).contains(.pictureTime))
        #expect(files.rules(report).isSubset(of: [.pictureTime, .segmentStart]))
    }

    @Test func `a segment with an unplanned start is reported`() throws {
        let path = try files.made("film.mp4")
        var (delivery, _) = try files.delivery(of: path, .full)
        let plan = delivery.plan
        let moved = plan.segments.map { segment in
            PlannedSegment(
                number: segment.number,
                start: segment.number == 1 ? segment.start + Rational(1, 10) : segment.start,
                duration: segment.duration,
                startsDiscontinuity: false
            )
        }
        delivery.plan = SegmentPlan(segments: moved, origin: plan.origin, timestampOffset: plan.timestampOffset)
        #expect(files.rules(try Verifier.verify(source: path, delivery: delivery)) == [.segmentStart])
    }
}
