import SegueBase
import SegueContainers
import SeguePlaylists
import Testing

@testable import SegueConformance

@Suite struct CodingTrailTests {
    private static func entry(
        _ number: Int,
        discontinuity: Int = 0,
        codecs: [String] = ["h264", "aac"],
        coding: UInt64 = 7,
        stated: String? = nil
    ) -> CodingTrail.Entry {
        let layout = stated == nil ? SegmentInspection.Layout.transportStream : .fragmentedMP4
        var facts = SegmentFacts(number: 0, url: "s", size: 1, layout: layout)
        facts.tracks = codecs.enumerated().map { place, codec in
            var track = TrackFacts(number: place + 1, kind: codec == "aac" ? .audio : .video, codec: codec)
            track.coding = codec == "h264" ? coding : 3
            return track
        }
        var subject = MediaSubject(document: PlaylistDocument(url: "p", bytes: []), resources: [])
        if let stated {
            var initialization = InitializationFacts(url: "i")
            initialization.tracks = [TrackFacts(number: 1, kind: .video, codec: "h264")]
            initialization.tracks[0].parameters = stated
            subject.initializations = [initialization]
        }
        return CodingTrail.Entry(number: number, discontinuity: discontinuity, subject, facts)
    }

    private static func messages(_ entries: [CodingTrail.Entry]) -> [String] {
        var trail = CodingTrail()
        return entries.flatMap { entry in
            trail.take(entry).map { "\($0.segment ?? -1) \($0.rule.id): \($0.message)" }
        }
    }

    @Test func `a change of the coding between samples without a discontinuity is found`() {
        let since = "without #EXT-X-DISCONTINUITY since segment 4, "
        #expect(
            Self.messages([Self.entry(4), Self.entry(8, coding: 9)])
                == ["8 coding-continues: \(since)the parameter sets of h264 change"]
        )
        let lost = Self.messages([Self.entry(4), Self.entry(8, codecs: ["h264"])])
        #expect(lost == ["8 discontinuity-needed: \(since)the segment has no aac, the previous segment has"])
        let stated = [Self.entry(4, stated: "avc1.64001f"), Self.entry(8, stated: "avc1.64002a")]
        let changed = "the codec changes from avc1.64001f to avc1.64002a"
        #expect(Self.messages(stated) == ["8 coding-continues: \(since)\(changed)"])
    }

    @Test func `a discontinuity, a restart, and the same coding are no finding`() {
        #expect(Self.messages([Self.entry(4), Self.entry(8), Self.entry(12, discontinuity: 1, coding: 9)]) == [])
        #expect(Self.messages([Self.entry(40), Self.entry(8, coding: 9)]) == [])
        #expect(Self.messages([Self.entry(4, stated: "a"), Self.entry(8, stated: "a")]) == [])
    }
}
