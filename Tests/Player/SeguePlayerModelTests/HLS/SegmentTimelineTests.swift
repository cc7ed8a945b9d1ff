import SegueBase
import SegueFetch
import SeguePlaylists
import Testing

@testable import SeguePlayerModel

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
    func `dates are parsed`(text: String, seconds: Double?) {
        #expect(ProgramDate.seconds(text) == seconds)
    }

    @Test func `a rendition of a live stream is aligned with the other by its date`() throws {
        let video = try timeline(playlist(5, sequence: 100, date: "2024-05-06T07:08:00.000Z"))
        let audio = try timeline(playlist(5, sequence: 7, date: "2024-05-06T07:08:03.000+00:00"), beside: video)
        #expect(audio.start == .seconds(3))
        #expect(audio.segment(at: .seconds(20)) == 2)
        #expect(audio.slot(2).url == "http://a/9.ts")
    }

    @Test func `without dates, a rendition is aligned end to end, unless its media sequence shows that it is newer`()
        throws
    {
        let video = try timeline(playlist(5, sequence: 100))
        #expect(try timeline(playlist(5, sequence: 102), beside: video).start == .seconds(12))
        // Numbers beyond the maximum distance of two loads have another meaning.
        let long = try timeline(playlist(100, sequence: 100))
        #expect(try timeline(playlist(5, sequence: 103), beside: long).end == long.end)
        let other = try timeline(playlist(3, sequence: 9000), beside: video)
        #expect(other.start == .seconds(12))
        #expect(other.end == video.end)
        let ended = try timeline(playlist(5, sequence: 3, isEnded: true))
        #expect(try timeline(playlist(9, sequence: 1, isEnded: true), beside: ended).start == .zero)
    }

    @Test func `a common discontinuity aligns two renditions`() throws {
        func media(_ durations: [Int], sequence: Int, discontinuity: Int, at index: Int) throws -> MediaPlaylist {
            var playlist = try playlist(durations.count, sequence: sequence)
            playlist.discontinuitySequence = discontinuity
            for (number, duration) in durations.enumerated() {
                playlist.segments[number].duration = Rational(Int64(duration))
            }
            playlist.segments[index].startsDiscontinuity = true
            return playlist
        }
        let video = try timeline(media([6, 6, 6, 6], sequence: 10, discontinuity: 3, at: 2))
        let audio = try timeline(media([5, 5, 5, 5], sequence: 77, discontinuity: 3, at: 1), beside: video)
        #expect(audio.start == .seconds(7) && audio.slot(1).start == video.slot(2).start)
        let other = try timeline(media([5, 5, 5, 5], sequence: 77, discontinuity: 4, at: 1), beside: video)
        #expect(other.end == video.end)
    }

    @Test func `missed segments are as long as the dates state`() throws {
        var live = try timeline(playlist(4, sequence: 50, date: "2024-05-06T07:08:00.000Z"))
        let change = try live.update(
            playlist(4, sequence: 60, date: "2024-05-06T07:09:30.000Z"),
            from: "http://a/i.m3u8"
        )
        #expect(change.isNews && change.complaint?.code == PlaybackError.PlaylistCode.lost.rawValue)
        #expect(live.start == .seconds(90) && live.end == .seconds(114))
    }

    @Test func `excessive durations are refused before the timeline changes`() throws {
        let live = try timeline(playlist(5))
        var great = try playlist(930, sequence: 100_000)
        for index in great.segments.indices { great.segments[index].duration = Rational(10_000_000) }
        #expect(throws: PlaybackError.self) { try timeline(great, beside: live) }
        var known = try timeline(playlist(4, sequence: 50))
        great.mediaSequence = 52
        #expect(throws: PlaybackError.self) { try known.update(great, from: "http://a/i.m3u8") }
        #expect(known.first == 0 && known.upper == 4 && known.end == .seconds(24) && !known.isEnded)
    }

    @Test(arguments: [(8, 8, 72), (-20, 40, 70), (nil, 42, 72)] as [(Int?, Int, Int)])
    func `a live edge moves, wherever playback started`(offset: Int?, join: Int, edge: Int) throws {
        var live = try playlist(10)
        live.start = offset.map { PlaylistStart(timeOffset: Rational(Int64($0)), isPrecise: true) }
        var timeline = try timeline(live)
        #expect(timeline.joinPosition == .seconds(join))
        live.mediaSequence = 5
        _ = try timeline.update(live, from: "http://a/i.m3u8")
        // 90 s are listed. The last segment that starts 18 s before the end starts at 72 s.
        #expect(timeline.livePosition == .seconds(edge))
    }

    @Test func `a timeline does not store the playlist URL for each segment`() throws {
        let url = "http://a/" + String(repeating: "b", count: 60_000) + "/i.m3u8"
        let live = try SegmentTimeline(playlist(3), from: url, encryption: .served)
        #expect(live.slot(2).url == url.replacing("i.m3u8", with: "2.ts"))
        #expect(Mirror(reflecting: live.slot(2)).children.allSatisfy { $0.label != "url" })
    }

    @Test func `a playlist reloads after its target duration, however long that is`() {
        var reload = PlaylistReload()
        reload.came(isNews: true, began: Instant(seconds: 10), targetDuration: .seconds(300))
        #expect(reload.dueAt == Instant(seconds: 310))
        reload.came(isNews: false, began: Instant(seconds: 310), targetDuration: .seconds(300))
        #expect(reload.dueAt == Instant(seconds: 460))
    }

    @Test func `a moving window keeps the numbers and positions of its segments`() throws {
        var live = try timeline(playlist(4, sequence: 50))
        let change = try live.update(playlist(4, sequence: 52), from: "http://a/i.m3u8")
        #expect(change == SegmentTimeline.Change(isNews: true, complaint: nil))
        #expect(live.first == 2 && live.upper == 6)
        #expect(live.start == .seconds(12) && live.end == .seconds(36))
        #expect(live.slot(5).url == "http://a/55.ts")
        #expect(try live.update(playlist(4, sequence: 52), from: "http://a/i.m3u8").isNews == false)
        let leap = try live.update(playlist(4, sequence: 60), from: "http://a/i.m3u8")
        #expect(leap.isNews && leap.complaint?.message.contains("4 segments were added and removed") == true)
        #expect(live.first == 10 && live.start == .seconds(60))
    }

    @Test(arguments: [
        "#EXT-X-MEDIA-SEQUENCE:9223372036854775807", "#EXT-X-MEDIA-SEQUENCE:4611686018427387904",
        "#EXT-X-TARGETDURATION:4611686018427387904",
    ])
    func `excessive numbers are refused`(tag: String) throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(tag)\n#EXTINF:6,\n0.ts\n"
        if tag.contains("TARGET") { text = text.replacing("#EXT-X-TARGETDURATION:6\n", with: "") }
        guard case .media(let playlist)? = try? Playlist.parse(text) else { return }
        #expect(throws: PlaybackError.self) { try timeline(playlist) }
        var live = try timeline(try self.playlist(4))
        #expect(throws: PlaybackError.self) { try live.update(playlist, from: "http://a/i.m3u8") }
    }

    @Test func `a live playlist without segments reloads until there is one`() throws {
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
