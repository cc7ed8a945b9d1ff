import Fetch
import HLS
import Testing
import Timeline

@testable import Player

@Suite struct `Timelines of playlists` {
    private func playlist(
        _ count: Int,
        sequence: Int = 0,
        seconds: Int = 6,
        date: String? = nil,
        isEnded: Bool = false
    ) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(seconds)\n#EXT-X-MEDIA-SEQUENCE:\(sequence)\n"
        if let date { text += "#EXT-X-PROGRAM-DATE-TIME:\(date)\n" }
        text += (0..<count).map { "#EXTINF:\(seconds),\n\(sequence + $0).ts\n" }.joined()
        guard case .media(let playlist) = try Playlist.parse(text + (isEnded ? "#EXT-X-ENDLIST\n" : "")) else {
            throw PlaybackError(.nested, "not a media playlist")
        }
        return playlist
    }

    private func timeline(_ playlist: MediaPlaylist, beside other: SegmentTimeline? = nil) throws -> SegmentTimeline {
        try SegmentTimeline(playlist, from: "http://a/i.m3u8", encryption: .served, beside: other)
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-02T00:00:01.500Z", 86401.5),
            ("2024-02-29T12:00:00+01:00", 1_709_204_400),
            ("2024-02-29T12:00:00-0330", 1_709_220_600), ("2000-03-01T00:00:00+00", 951_868_800),
            ("1999-12-31T23:59:59", 946_684_799), ("2024-02-29", nil), ("2024-13-01T00:00:00Z", nil),
            ("yesterdayTnoon", nil), ("2024-01-01T00:00:00+1", nil), ("", nil),
        ] as [(String, Double?)]
    )
    func `dates are read`(text: String, seconds: Double?) {
        #expect(ProgramDate.seconds(text) == seconds)
    }

    @Test func `a rendition of a live stream is laid beside the other by its date`() throws {
        let video = try timeline(playlist(5, sequence: 100, date: "2024-05-06T07:08:00.000Z"))
        let audio = try timeline(playlist(5, sequence: 7, date: "2024-05-06T07:08:03.000+00:00"), beside: video)
        #expect(audio.start == .seconds(3))
        #expect(audio.segment(at: .seconds(20)) == 2)
        #expect(audio.slot(2).url == "http://a/9.ts")
    }

    @Test func `without dates it is laid by its media sequence, else end to end`() throws {
        let video = try timeline(playlist(5, sequence: 100))
        #expect(try timeline(playlist(5, sequence: 102), beside: video).start == .seconds(12))
        let other = try timeline(playlist(3, sequence: 9000), beside: video)
        #expect(other.start == .seconds(12))
        #expect(other.end == video.end)
        let ended = try timeline(playlist(5, sequence: 3, isEnded: true))
        #expect(try timeline(playlist(9, sequence: 1, isEnded: true), beside: ended).start == .zero)
    }

    @Test func `a window that moves keeps the numbers and places of its segments`() throws {
        var live = try timeline(playlist(4, sequence: 50))
        let change = try live.update(playlist(4, sequence: 52), from: "http://a/i.m3u8")
        #expect(change == SegmentTimeline.Change(isNews: true, complaint: nil))
        #expect(live.first == 2 && live.upper == 6)
        #expect(live.start == .seconds(12) && live.end == .seconds(36))
        #expect(live.slot(5).url == "http://a/55.ts")
        #expect(try live.update(playlist(4, sequence: 52), from: "http://a/i.m3u8").isNews == false)
        let leap = try live.update(playlist(4, sequence: 60), from: "http://a/i.m3u8")
        #expect(leap.isNews && leap.complaint?.message.contains("4 segments came and went") == true)
        #expect(live.first == 10 && live.start == .seconds(60))
    }

    @Test(arguments: [
        "#EXT-X-MEDIA-SEQUENCE:9223372036854775807", "#EXT-X-MEDIA-SEQUENCE:4611686018427387904",
        "#EXT-X-TARGETDURATION:4611686018427387904",
    ])
    func `numbers beyond reason are refused`(tag: String) throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(tag)\n#EXTINF:6,\n0.ts\n"
        if tag.contains("TARGET") { text = text.replacing("#EXT-X-TARGETDURATION:6\n", with: "") }
        guard case .media(let playlist)? = try? Playlist.parse(text) else { return }
        #expect(throws: PlaybackError.self) { try timeline(playlist) }
        var live = try timeline(try self.playlist(4))
        #expect(throws: PlaybackError.self) { try live.update(playlist, from: "http://a/i.m3u8") }
    }

    @Test func `a live playlist without segments is asked for again until there is one`() throws {
        let live = LiveTitle(end: 9)
        let rig = live.rig(
            try Shipped.platform("desktop"),
            instead: { request, now in
                guard request.url.hasSuffix(".m3u8"), now.seconds < 3 else { return nil }
                return (200, Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n".utf8))
            }
        )
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.item?.journal.errors.allSatisfy { $0.error.message.contains("no segments yet") } == true)
    }
}
