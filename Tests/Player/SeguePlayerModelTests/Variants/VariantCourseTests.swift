import SegueBase
import SegueFetch
import SeguePlaylists
import Testing

@testable import SeguePlayerModel

/// The choice of variants without a player.
@Suite struct `Changes of variants` {
    private let settings: PlatformProfile.Loading
    private let wanted = VariantChoice.Wanted(peak: 0, wantsVideo: true, isAudioSeparate: false, isAudioLost: false)

    init() throws { settings = try Shipped.platform("desktop", ["switch-waits-for-playlist": "false"]).loading }

    /// A course on the first of variants with 1, 2 and 4 Mbit/s.
    private func course() throws -> VariantCourse {
        let rates = [1_000_000, 2_000_000, 4_000_000]
        let text = "#EXTM3U\n" + rates.map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0)\n\($0).m3u8\n" }.joined()
        guard case .multivariant(let playlist) = try Playlist.parse(text) else {
            throw PlaybackError(.nested, "not a multivariant playlist")
        }
        var choice = VariantChoice(playlist, from: "http://a/master.m3u8", settings)
        choice.use(0)
        return VariantCourse(choice, VariantRecord())
    }

    /// The stream of a variant with a number of received segments of one minute.
    private func stream(arrivals: Int) throws -> StreamLoader {
        let segments = (0..<20).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(segments)#EXT-X-ENDLIST\n"
        guard case .media(let media) = try Playlist.parse(text) else {
            throw PlaybackError(.nested, "not a media playlist")
        }
        let timeline = try SegmentTimeline(media, from: "http://a/1.m3u8", encryption: .served)
        let playlist = StreamPlaylist(url: "http://a/1.m3u8", timeline: timeline)
        var stream = StreamLoader(role: .main, playlist: playlist, position: .zero)
        for number in 0..<arrivals { stream.progress.place(timeline.slot(number)) }
        stream.intake.arrivals = arrivals
        return stream
    }

    private func choose(
        _ course: inout VariantCourse,
        after stream: StreamLoader,
        failure: PlaybackError? = nil,
        estimate: Double? = 100_000_000,
        _ wanted: VariantChoice.Wanted? = nil
    ) {
        let wanted = wanted ?? self.wanted
        course.choose(
            after: stream,
            playhead: .zero,
            failure: failure,
            estimate: estimate,
            wanted,
            at: .zero
        )
    }

    @Test func `a fast link leads up, once per segment`() throws {
        var course = try course()
        choose(&course, after: try stream(arrivals: 0))
        #expect(course.change == nil)
        choose(&course, after: try stream(arrivals: 10), estimate: nil)
        choose(&course, after: try stream(arrivals: 10))
        #expect(course.change == nil)
        choose(&course, after: try stream(arrivals: 11))
        #expect(course.change?.variant == 2)
        #expect(course.change?.isUrgent == false)
        #expect(course.change?.load.url == "http://a/4000000.m3u8")
    }

    @Test func `a variant that failed is left immediately, until too many have`() throws {
        var course = try course()
        let error = PlaybackError(.http, code: 404, "gone")
        choose(&course, after: try stream(arrivals: 0), failure: error, estimate: nil)
        let next = try #require(course.change)
        #expect(next.variant != 0)
        #expect(next.isUrgent)
        course.failed(error, at: .zero)
        #expect(course.change == nil)
        #expect(course.record.failures == 2)
        course.record.failures = VariantRecord.mostFailures
        choose(&course, after: try stream(arrivals: 0), failure: error, estimate: nil)
        #expect(course.change == nil)
    }

    @Test func `a limit of the app applies before the next segment`() throws {
        var course = try course()
        course.choice.use(2)
        course.record.judged = 3
        let limited = VariantChoice.Wanted(
            peak: 2_500_000,
            wantsVideo: true,
            isAudioSeparate: false,
            isAudioLost: false
        )
        choose(&course, after: try stream(arrivals: 3))
        #expect(course.change == nil)
        choose(&course, after: try stream(arrivals: 3), limited)
        #expect(course.change?.variant == 1)
    }

    @Test(arguments: [(10.0, false), (2.0, true)])
    func `a late segment is replaced by that of a lower variant`(seconds: Double, isLeft: Bool) throws {
        var course = try course()
        course.choice.use(2)
        let request = FetchRequest(id: FetchID(1), url: "http://a/0.ts")
        var transfer = Transfer(request, began: .zero)
        // Half of 6 s at 4 Mbit/s arrived in 4 s, so the rest takes as long again.
        transfer.receive(FetchBytes([UInt8](repeating: 0, count: 1_500_000)))
        let race = VariantCourse.Race(
            seconds: seconds,
            wanted: wanted,
            timeline: try stream(arrivals: 0).progress.playlist.timeline
        )
        let now = Instant.zero + .seconds(4)
        let isRescued = course.rescue(from: transfer, duration: .seconds(6), race, at: now)
        #expect(isRescued == isLeft)
        #expect((course.change?.variant == 0) == isLeft)
    }

    @Test func `a completed change is recorded with the previous variant`() throws {
        var course = try course()
        choose(&course, after: try stream(arrivals: 10))
        let made = course.finish(leaving: "http://a/1.m3u8")
        let (former, next) = try #require(made)
        #expect((former.bandwidth, next.bandwidth) == (1_000_000, 4_000_000))
        #expect(course.record.changes == 1)
        #expect(course.record.left?.url == "http://a/1.m3u8")
        #expect(course.record.left?.bitrate == 1_000_000)
        let again = course.finish(leaving: "")
        #expect(again == nil)
    }
}
