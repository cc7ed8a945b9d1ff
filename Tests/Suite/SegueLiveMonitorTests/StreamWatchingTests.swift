import Foundation
import SegueConformance
import SegueFetch
import SegueLiveMonitor
import SegueTestSupport
import SegueWeb
import Synchronization
import Testing

@Suite struct StreamWatchingTests {
    private static func answer(_ status: String, _ body: String = "") -> [LoopbackServer.Step] {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nCache-Control: max-age=60\r\n\r\n"
        return [.send(Array((head + body).utf8))]
    }

    /// A playlist that never changes, whose second segment is missing.
    private static let list = """
        #EXTM3U
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-TARGETDURATION:4
        #EXTINF:4,
        a.ts
        #EXTINF:4,
        b.ts
        #EXT-X-ENDLIST

        """

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { target in
            switch target {
            case "/master.m3u8":
                Self.answer(
                    "200 OK",
                    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb.m3u8\n"
                )
            case "/a.m3u8", "/b.m3u8": Self.answer("200 OK", Self.list)
            default: Self.answer("404 Not Found")
            }
        }
    }

    private static func report(_ watch: StreamWatch, _ log: FindingLog) -> String {
        let (report, figures) = log.report(of: watch)
        return report.text + figures
    }

    @Test func `a replay of a recording gives identical results`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let folder = try TestFolder()
        var settings = StreamWatching.Settings([server.url("/master.m3u8")])
        settings.recording = folder.file("recording")
        let outcome = try #require(try await StreamWatching.run(settings, found: { _ in }).first)
        #expect(outcome.watch.hasEnded)
        #expect(outcome.watch.figures.reloads == 2)
        let recorded = try RecordingFolder(folder.file("recording"))
        let texts = try (0..<2).map { _ in
            let (watch, log) = try #require(StreamReplay.watch(recorded.recording, body: recorded.body(of:)))
            return Self.report(watch, log)
        }
        #expect(texts == [Self.report(outcome.watch, outcome.log), texts[0]])
        #expect(recorded.recording.exchanges.allSatisfy { $0.took != nil })
        #expect(recorded.recording.exchanges.map { $0.clock != nil } == [true, false, false])
    }

    @Test func `many streams are watched at once, and each ends by itself`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let urls = (0..<60).map { server.url("/a.m3u8?\($0)") }
        var settings = StreamWatching.Settings(urls.map { $0.replacing("?", with: "#") })
        settings.mostAtOnce = 4
        let board = StreamBoard(urls)
        let outcomes = try await StreamWatching.run(settings, board: board, found: { _ in })
        #expect(outcomes.count == 60)
        #expect(board.all.allSatisfy { $0.figures.reloads == 1 && $0.figures.hasEnded })
    }

    @Test func `a silent server does not delay the end`() async throws {
        let server = try LoopbackServer { _ in [.stall] }
        defer { server.stop() }
        var settings = StreamWatching.Settings([server.url("/a.m3u8")])
        settings.period = .milliseconds(1)
        let outcomes = try await StreamWatching.run(settings, found: { _ in })
        #expect(outcomes.map(\.watch.figures.reloads) == [0])
    }

    @Test func `a missing stream is a finding`() async throws {
        let server = try LoopbackServer { _ in Self.answer("410 Gone") }
        defer { server.stop() }
        let url = server.url("/a.m3u8")
        let board = StreamBoard([url])
        let (findings, told) = AsyncStream.makeStream(of: StreamWatching.Finding.self)
        let watching = Task {
            try await StreamWatching.run(StreamWatching.Settings([url]), board: board, found: { told.yield($0) })
        }
        var finding: StreamWatching.Finding?
        for await found in findings {
            finding = found
            break
        }
        watching.cancel()
        #expect(try await watching.value.count == 1)
        let text = try #require(finding?.text())
        #expect(text.hasSuffix(" must fix: live-reload (R3, R4.1): the server returned 410; \(url)"))
        let json = try #require(finding?.json())
        #expect(json.contains(#""rule":"live-reload","severity":"must fix""#))
        #expect(!json.contains("uncounted"))
        #expect(board.metrics.contains("segue_watch_findings_total{stream=\"\(url)\",rule=\"live-reload\"} 1\n"))
        let page = try BoardPage(WebFolder(path: Checkout.path("Web"))).html(of: board, at: board.began + 1)
        #expect(page.contains("live-reload: the server returned 410"))
    }
}
