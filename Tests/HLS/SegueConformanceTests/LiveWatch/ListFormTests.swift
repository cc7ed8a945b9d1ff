import SegueBase
import SegueConformance
import SeguePlaylists
import Testing

@Suite struct ListFormTests {
    private static func answer(_ request: WatchRequest, _ bytes: [UInt8], status: Int = 200) -> WatchResponse {
        var response = WatchResponse(
            method: request.method,
            url: request.url,
            began: request.at,
            ended: request.at + .milliseconds(10),
            status: status
        )
        response.bytes = bytes
        return response
    }

    @Test func `a missing stream is requested again, at growing intervals`() throws {
        var watch = StreamWatch("http://h/a.m3u8", clock: nil)
        var request = try #require(watch.begin(at: .zero).first)
        var findings = 0
        for _ in 0..<100 {
            let step = watch.take(Self.answer(request, [], status: 404))
            findings += step.findings.count
            request = try #require(step.requests.first)
            #expect(step.requests.count == 1)
        }
        // The first, second, fourth, and so on, up to the 64th.
        #expect(findings == 7)
        #expect(request.at.seconds > 2500 && request.at.seconds < 3000)
        let step = watch.take(Self.answer(request, Array(Stage(kind: .plain).playlist("a", media: 400).text.utf8)))
        #expect(step.findings.isEmpty)
        #expect(watch.figures.reloads == 1)
    }

    @Test func `a playlist of many megabytes is read`() throws {
        let segments = (0..<90_000).map {
            MediaSegment(uri: "segments/of/a/long/event/\($0).ts", duration: Rational(4))
        }
        var playlist = MediaPlaylist(segments: segments, kind: .event, hasEndList: false)
        #expect(playlist.text.utf8.count > 4_000_000)
        var watch = StreamWatch("http://h/a.m3u8", clock: nil)
        var request = try #require(watch.begin(at: .zero).first)
        for _ in 0..<3 {
            let step = watch.take(Self.answer(request, Array(playlist.text.utf8)))
            #expect(step.requests.count < 10)
            #expect(step.findings.map(\.broken.rule.id).filter { $0 != "live-date-given" } == [])
            request = try #require(step.requests.first { $0.url.hasSuffix("a.m3u8") })
            playlist.segments.append(MediaSegment(uri: "next\(playlist.segments.count).ts", duration: Rational(4)))
        }
    }

    @Test func `a response without a request changes nothing`() {
        var (watch, _, answers) = Stage(kind: .plain).watch(for: 30)
        let before = watch.figures
        var foreign = answers[0]
        foreign.url = "http://other/a.m3u8?_HLS_msn=99999999999999999999&_HLS_part=-1"
        #expect(watch.take(foreign).findings == [])
        #expect(watch.figures == before)
    }

    @Test(arguments: [
        "#EXTM3U\n#EXT-X-TARGETDURATION:9007199254740992\n#EXT-X-MEDIA-SEQUENCE:9007199254740992\n#EXTINF:10000000,\na.ts\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:0\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-SKIP:SKIPPED-SEGMENTS=9007199254740992\n#EXTINF:1,\na.ts\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-DISCONTINUITY-SEQUENCE:9007199254740992\n#EXT-X-DISCONTINUITY\n#EXTINF:0,\na\n",
    ])
    func `numbers that are too large do not trap`(text: String) throws {
        var (watch, _, answers) = Stage(kind: .lowLatency).watch(for: 30)
        var answer = try #require(answers.last { $0.url.contains("m3u8") })
        for directives in ["", "?_HLS_msn=9223372036854775807&_HLS_part=9223372036854775807", "?_HLS_skip=YES"] {
            for _ in 0..<3 {
                answer.url = "http://h/live/a.m3u8" + directives
                answer.bytes = Array(text.utf8)
                #expect(!watch.take(answer).requests.isEmpty)
            }
        }
    }

    @Test func `a restarted stream is followed from its new start`() {
        var stage = Stage(kind: .plain)
        stage.change = { exchange in
            guard exchange.at > 50, exchange.playlist != nil else { return }
            exchange.playlist?.mediaSequence -= 90
            for index in 0..<(exchange.playlist?.segments.count ?? 0) {
                exchange.playlist?.segments[index].uri += "?anew"
            }
        }
        let (watch, findings, _) = stage.watch(for: 300)
        #expect(findings.map(\.broken.rule.id) == ["live-sequence"])
        #expect(watch.figures.segments > 70)
    }
}
