import SegueBase
import SeguePlaylists
import Testing

@testable import SegueConformance

@Suite struct LoadedTests {
    private static func rules(_ stage: Stage) -> [String] { stage.watch(for: 300).findings.map(\.broken.rule.id) }

    @Test func `a segment may have other fragments than its parts`() {
        var stage = Stage(kind: .lowLatency)
        stage.change = { exchange in
            guard let number = exchange.segment, exchange.part == nil, exchange.bytes != nil, number > 0 else { return }
            exchange.bytes = MadeParts.whole(number)
        }
        #expect(Self.rules(stage) == [])
    }

    @Test func `a segment that differs from its parts in one frame is found`() {
        var stage = Stage(kind: .lowLatency)
        stage.change = { exchange in
            guard let number = exchange.segment, exchange.part == nil, exchange.bytes != nil, number > 0 else { return }
            exchange.bytes = (0..<3).flatMap { MadeParts.part(number, $0) }
        }
        #expect(Set(Self.rules(stage)) == ["live-part-bytes"])
    }

    @Test func `the watch loads a small share of the stream`() {
        for kind in Stage.Kind.allCases {
            let stage = Stage(kind: kind)
            let (watch, _, answers) = stage.watch(for: 600)
            let loaded = answers.filter { $0.method == .get && !$0.url.contains(".m3u8") }
            // Of 150 segments three, each with four parts, and the initialization section.
            let most = stage.isLowLatency ? (3 * 5 + 1) * watch.parts.count : 0
            #expect(loaded.count <= most)
            let hints = answers.filter { $0.method == .firstByte }
            #expect(hints.count <= (stage.isLowLatency ? 600 / 8 * watch.parts.count : 0))
            #expect(hints.isEmpty != stage.isLowLatency && loaded.isEmpty != stage.isLowLatency)
        }
    }

    @Test func `repeated content may be the same`() {
        var stage = Stage(kind: .plain)
        stage.change = { exchange in
            for index in exchange.playlist?.segments.indices ?? 0..<0 {
                let number = (exchange.playlist?.firstListedSequence ?? 0) + index
                exchange.playlist?.segments[index].uri = "a\(number % 10).ts"
            }
            guard let name = exchange.segment else { return }
            exchange.status = 200
            exchange.headers = ["content-length": "\(1000 + name)", "etag": "\"\(exchange.at)\""]
        }
        #expect(Self.rules(stage) == [])
    }

    @Test func `a change that a delta update announces first is reported once`() {
        // One of eight loads asks for an update.
        for begin in 30..<38 {
            var stage = Stage(kind: .lowLatency)
            stage.change = { if $0.at > Double(begin) { $0.playlist?.isIndependent = true } }
            #expect(stage.watch(for: 60).findings.map(\.broken.rule.id) == ["live-header"])
        }
    }

    @Test func `a request for an abandoned hint may be refused`() throws {
        var playlist = Stage(kind: .lowLatency).playlist("a", media: 401)
        let base = URIReference.Base(Stage(kind: .lowLatency).url)
        var hints = HintChecks()
        let request = try #require(hints.requests(playlist, base, loads: 4, at: .zero).first)
        #expect(request.mayBlock && request.url == "http://h/live/a100.part1.ts" && request.method == .firstByte)
        let answer = WatchResponse(url: request.url, began: .zero, ended: Instant(seconds: 0.1), status: 404)
        hints.take(answer, in: playlist)
        #expect(hints.judge(playlist).isEmpty)
        var other = hints
        #expect(other.judge(Stage(kind: .lowLatency).playlist("a", media: 402)).map(\.rule.id) == ["live-hint-there"])
        playlist.preloadHints = []
        #expect(hints.judge(playlist).isEmpty)
        #expect(hints.judge(Stage(kind: .lowLatency).playlist("a", media: 402)).isEmpty)
    }

    @Test(arguments: [
        (0.5, 0.52, "0.5 s", "0.52 s"), (0.5, 0.533, "0.5 s", "0.533 s"), (4, 5, "4 s", "5 s"), (1, 1, "1 s", "1 s"),
        (0.5006, 0.5, "0.501 s", "0.5 s"), (0.50004, 0.5, "0.50004 s", "0.5 s"),
    ])
    func `different times are distinguished`(one: Double, other: Double, first: String, second: String) {
        let texts = DisplayText.distinct(one, other, in: .seconds)
        #expect((texts.0.text, texts.1.text) == (first, second))
    }
}
