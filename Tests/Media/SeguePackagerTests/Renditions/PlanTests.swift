import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A plan` {
    static func candidates(_ times: [Rational]) -> [CutList.Candidate] {
        times.map { CutList.Candidate(time: $0, isForced: false) }
    }

    @Test func `cuts are the keyframes nearest to multiples of six seconds`() {
        let keys = (0..<20).map { Rational(Int64($0) * 5, 2) }
        let cuts = CutList.cuts(candidates: Self.candidates(keys), end: Rational(50))
        #expect(cuts.map(\.time.seconds) == [0, 5, 12.5, 17.5, 25, 30, 35, 42.5, 47.5])
    }

    @Test func `keyframes ten seconds apart are all cut at`() {
        let keys = (0..<6).map { Rational(Int64($0) * 10) }
        let cuts = CutList.cuts(candidates: Self.candidates(keys), end: Rational(60))
        #expect(cuts.map(\.time.seconds) == [0, 10, 20, 30, 40, 50])
    }

    @Test func `a last piece under half a second joins the one before`() {
        let keys = (0..<5).map { Rational(Int64($0) * 6) }
        #expect(CutList.cuts(candidates: Self.candidates(keys), end: Rational(244, 10)).count == 4)
        #expect(CutList.cuts(candidates: Self.candidates(keys), end: Rational(245, 10)).count == 5)
    }

    @Test func `a jump is cut at, wherever it lies`() {
        var candidates = Self.candidates((0..<20).map { Rational(Int64($0)) })
        candidates[8].isForced = true
        let cuts = CutList.cuts(candidates: candidates, end: Rational(20))
        #expect(cuts.contains(CutList.Cut(time: Rational(8), startsDiscontinuity: true)))
    }

    @Test func `durations of NTSC film are exact`() throws {
        let cuts = CutList.cuts(
            candidates: Self.candidates((0..<900).map { Rational(Int64($0) * 72 * 1001, 24000) }),
            end: Rational(2700)
        )
        let segments = CutList.segments(cuts, end: Rational(2700))
        #expect(segments[0].duration == Rational(144 * 1001, 24000))
        #expect(segments.reduce(Rational.zero) { $0 + $1.duration } == Rational(2700))
        for (one, next) in zip(segments, segments.dropFirst()) { #expect(one.end == next.start) }
    }

    @Test func `sound alone is cut on its own frames`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 25, videoCodec: nil).write(in: folder)
        let plan = try PresentationTests.open(path).plan
        #expect(plan.segments.count == 5)
        for segment in plan.segments.dropFirst() {
            // The first frame is the encoder's delay, so the grid begins with it.
            #expect((segment.start * Rational(44100, 1024)).denominator == 1)
            #expect(abs(segment.start.seconds - Double(segment.number) * 6) < 0.0125)
        }
    }

    @Test func `cover art is no film`() throws {
        let folder = try TestFolder()
        let path = try `Cover art`.song(in: folder, side: 64)
        let presentation = try PresentationTests.open(path)
        #expect(presentation.source.hasArtwork && !presentation.source.hasVideo)
        // It stands for one, and leaves the cut list as the audio has it.
        let tracks = try presentation.rendition(.full, in: .fmp4).tracks
        #expect(tracks.map(\.kind) == [.video, .audio] && tracks[0].isStill)
        #expect(try presentation.rendition(.background, in: .fmp4).tracks.map(\.kind) == [.audio])
    }
}
