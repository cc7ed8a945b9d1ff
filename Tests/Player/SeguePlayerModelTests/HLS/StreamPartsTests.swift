import SegueBase
import SegueFetch
import SeguePlaylists
import Testing

@testable import SeguePlayerModel

/// The parts of a stream's state.
@Suite struct `Parts of a stream` {
    private func timeline(_ lines: String) throws -> SegmentTimeline {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(lines)#EXT-X-ENDLIST\n"
        guard case .media(let playlist) = try Playlist.parse(text) else {
            throw PlaybackError(.nested, "not a media playlist")
        }
        return try SegmentTimeline(playlist, from: "http://a/i.m3u8", encryption: .served)
    }

    @Test func `pieces are contiguous, and are released from the front except for the last`() throws {
        let timeline = try timeline("#EXTINF:6,\n0.ts\n#EXTINF:6,\n1.ts\n#EXTINF:6,\n2.ts\n")
        var pieces = LoadedPieces()
        #expect(pieces.end(from: .zero) == nil)
        for number in 1...2 { pieces.append(timeline.slot(number)) }
        #expect(pieces.start == .seconds(6))
        #expect(pieces.end(from: .seconds(5)) == nil)
        #expect(pieces.end(from: .seconds(7)) == .seconds(18))
        #expect(pieces.end(from: .seconds(20)) == .seconds(20))
        pieces.release(before: .seconds(12))
        #expect(pieces.start == .seconds(12))
        pieces.release(before: .seconds(100))
        #expect(pieces.count == 1)
    }

    @Test func `a gap is found with both of its ends`() throws {
        let timeline = try timeline("#EXTINF:6,\n0.ts\n#EXT-X-GAP\n#EXTINF:6,\n1.ts\n#EXTINF:6,\n2.ts\n")
        var pieces = LoadedPieces()
        for number in 0...2 { pieces.append(timeline.slot(number)) }
        #expect(!pieces.isGap(at: .seconds(5)))
        #expect(pieces.isGap(at: .seconds(6)))
        #expect(!pieces.isGap(at: .seconds(12)))
        #expect(pieces.gapBorder(after: .zero) == .seconds(6))
        #expect(pieces.gapBorder(after: .seconds(6)) == .seconds(12))
        #expect(pieces.gapBorder(after: .seconds(12)) == nil)
    }

    @Test func `a failed request waits for its retry, and an abandoned one does not`() throws {
        let settings = try Shipped.platform("desktop").loading
        var context = StepContext(settings: settings)
        var request = SegmentRequest()
        let asked = FetchRequest(id: FetchID(1), url: "http://a/0.ts")
        let answer1 = request.mayBegin(at: .zero)
        #expect(answer1)
        request.begin(asked, for: .segment(0), at: .zero)
        let answer2 = request.mayBegin(at: .zero)
        #expect(!answer2)
        let failure = LoadFailure(PlaybackError(.network, code: -1005, "lost"), .lost)
        let answer3 = request.fail(failure, at: .zero, settings)
        #expect(answer3)
        let again = try #require(request.retryAt)
        let answer4 = request.mayBegin(at: .zero)
        #expect(!answer4)
        let answer5 = request.mayBegin(at: again)
        #expect(answer5)
        request.begin(asked, for: .segment(0), at: again)
        request.stop(&context)
        #expect(request.transfer == nil)
        #expect(context.effects.count == 1)
    }

    @Test func `a file is measured by its share of media, and short stretches accumulate`() {
        var meter = ProgressMeter()
        let least = { (media: Duration) in media >= .seconds(1) }
        let early = meter.measure(10, upTo: .milliseconds(400), from: .zero, share: .milliseconds(500), isEnough: least)
        #expect(early == nil)
        let first = meter.measure(40, upTo: .seconds(2), from: .zero, share: .seconds(2), isEnough: least)
        #expect(first?.number == 0)
        #expect(first?.gained == .seconds(2))
        let second = meter.measure(40, upTo: .seconds(5), from: .zero, share: nil, isEnough: least)
        #expect(second?.number == 1)
        #expect(second?.start == .seconds(2))
        #expect(second?.media == .seconds(3))
        // The playhead moved to a place with less buffered.
        let third = meter.measure(40, upTo: .seconds(31), from: .seconds(30), share: nil, isEnough: least)
        #expect(third?.start == .seconds(30))
    }
}
