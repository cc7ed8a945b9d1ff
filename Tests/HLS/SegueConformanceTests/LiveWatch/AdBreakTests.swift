import Foundation
import SegueBase
import SeguePlaylists
import Testing

@testable import SegueConformance

/// Ad breaks at every fifth segment from 100 on, each after `#EXT-X-CUE-OUT`.
struct AdBreaks: Sendable {
    /// The segments whose break has no discontinuity.
    let lost: Set<Int>

    func insert(into exchange: inout Stage.Exchange) {
        guard var playlist = exchange.playlist else { return }
        let breaks = stride(from: 100, through: 130, by: 5)
        for number in breaks where playlist.segment(number) != nil && !lost.contains(number) {
            playlist.segments[number - playlist.mediaSequence].startsDiscontinuity = true
        }
        playlist.discontinuitySequence = breaks.count { $0 < playlist.mediaSequence && !lost.contains($0) }
        var text = playlist.text
        for number in breaks { text = text.replacing("a\(number).ts", with: "#EXT-X-CUE-OUT:8\na\(number).ts") }
        exchange.bytes = Array(text.utf8)
    }
}

@Suite struct AdBreakTests {
    private static func findings(lost: Set<Int>) -> [LiveFinding] {
        var stage = Stage(kind: .plain)
        stage.change = { AdBreaks(lost: lost).insert(into: &$0) }
        return stage.watch(for: 130).findings
    }

    @Test func `a break that is not replaced as the earlier ones is found`() throws {
        let found = Self.findings(lost: [115])
        #expect(found.map(\.broken.place.segment) == [115])
        let words = "the ad break has no #EXT-X-DISCONTINUITY at its start, 3 of 3 earlier breaks have one"
        #expect(found.first?.broken.message.text == "segment 115: " + words)
    }

    @Test(arguments: [[], [100, 105, 110, 115, 120, 125, 130], [100, 110, 120, 130], [105]] as [Set<Int>])
    func `breaks that are always, never, or only sometimes replaced are no finding`(lost: Set<Int>) {
        #expect(Self.findings(lost: lost) == [])
    }

    @Test func `date ranges with SCTE35-OUT start a break at their segment`() {
        var playlist = MediaPlaylist(
            segments: (0..<3).map { MediaSegment(uri: "\($0).ts", duration: Rational(4)) },
            hasEndList: false,
            targetDuration: 4,
            mediaSequence: 10
        )
        var range = DateRange(id: "ad", startDate: Stage.date(Stage.clock + 6))
        range.scte35Out = "0xFC"
        let other = DateRange(id: "program", startDate: Stage.date(Stage.clock + 9))
        playlist.dateRanges = [range, other]
        let facts = (0..<3).map { SegmentFact(discontinuity: 0, date: Stage.clock + Double($0 * 4)) }
        let state = PlaylistState(
            playlist: playlist,
            segments: facts,
            base: URIReference.Base("http://h/"),
            began: .zero,
            ended: .zero,
            isOfDelta: false
        )
        #expect(AdBreakTrail.starts(in: Array(playlist.text.utf8), state) == [11])
        let text = "#EXT-X-CUE-OUT\n0.ts\n#EXT-X-CUE-OUT-CONT:4/8\n1.ts\n2.ts\n"
        #expect(AdBreakTrail.starts(in: Array(text.utf8), state) == [10, 11])
    }
}
