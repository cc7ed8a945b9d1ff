import SegueBase
import SegueConformance
import Testing

@Suite struct SampledMediaTests {
    private static func loaded(_ answers: [WatchResponse]) -> [WatchResponse] {
        answers.filter { $0.method == .get && $0.url.hasSuffix(".ts") && !$0.url.contains("part") }
    }

    /// The findings that count by default; the made segments have one keyframe each, which is rarer than Apple requires.
    private static func counted(_ findings: [LiveFinding]) -> [LiveFinding] {
        findings.filter { $0.broken.rule.severity(in: .usual) != nil }
    }

    @Test(arguments: [Stage.Kind.plain, .pair, .lowLatency, .growing, .trickPlay])
    func `the samples of a good stream break nothing`(kind: Stage.Kind) {
        let (watch, findings, answers) = Stage.sampled(kind).watch(for: 400)
        #expect(Self.counted(findings) == [])
        #expect(watch.figures.stalls == 0)
        let playlists = kind == .pair || kind == .trickPlay ? 2 : 1
        // One of four segments, of 100 in each playlist.
        #expect((20...26).contains(watch.figures.samples / playlists))
        #expect(Self.loaded(answers).count <= 28 * playlists + 5)
    }

    @Test(arguments: [
        ("body-kind", "the 200 response is empty"),
        ("segment-readable", ""),
        ("live-segment-whole", "which last"),
    ])
    func `a segment that a player cannot play is found once, and the stall that follows`(rule: String, words: String) {
        let stage = Stage.sampled(from: 50) { bytes in
            switch (rule, words) {
            case ("live-segment-whole", _): Array(bytes.prefix(bytes.count / 3))
            case (_, ""): bytes.enumerated().map { $0 % 5 < 2 ? ~$1 : $1 }
            default: []
            }
        }
        let (watch, findings, _) = stage.watch(for: 130)
        let found = findings.filter { $0.broken.rule.id == rule }
        #expect(found.count == 1)
        #expect(found.first.map { $0.at.seconds < 70 && $0.broken.message.text.contains(words) } ?? false)
        // After the first broken sample, all segments are loaded.
        #expect(watch.figures.brokenSamples > 10)
        #expect((watch.figures.stalls > 0) == (rule != "live-segment-whole"))
    }

    @Test func `a GET that fails where HEAD succeeds is found, and stalls a player`() throws {
        let stage = Stage.sampled { exchange in
            guard exchange.segment != nil, exchange.method == .get, exchange.asked > 50 else { return }
            (exchange.status, exchange.bytes) = (503, [])
        }
        let (watch, findings, _) = stage.watch(for: 130)
        let found = try #require(findings.first { $0.broken.rule.id == "live-segment-there" })
        let words = "GET: the server returned 503; HEAD: the server returned 200"
        #expect(found.broken.message.text.contains(words) && found.at.seconds < 70)
        #expect(watch.figures.stalls > 0)
    }

    @Test func `a watch without samples loads no segment`() {
        var stage = Stage.sampled()
        stage.options.media = .none
        let (watch, _, answers) = stage.watch(for: 130)
        #expect(Self.loaded(answers).isEmpty)
        #expect(watch.figures.text.hasSuffix("no media loaded, only heads of segments"))
    }

    @Test func `samples for which there is no time are replaced by heads`() {
        var stage = Stage.sampled(.pair)
        stage.declines = true
        let (watch, findings, answers) = stage.watch(for: 130)
        #expect(findings == [])
        #expect(Self.loaded(answers).isEmpty)
        #expect(watch.figures.stalls == 0 && watch.figures.segments > 60)
    }

    @Test func `the playlists of a stream are sampled at the same segments`() {
        let (_, _, answers) = Stage.sampled(.pair).watch(for: 130)
        let names = Self.loaded(answers).compactMap { $0.url.split(separator: "/").last }
        let numbers = ["a", "b"].map { name in Set(names.filter { $0.hasPrefix(name) }.map { $0.dropFirst() }) }
        #expect(numbers[0].count > 5 && numbers[0] == numbers[1])
    }

    @Test func `the whole media are loaded if wanted`() {
        var stage = Stage.sampled()
        stage.options.media = .all
        let (watch, findings, _) = stage.watch(for: 400)
        #expect(Self.counted(findings) == [])
        #expect(watch.figures.samples > 90)
    }

    @Test func `the rate bounds the samples, and all playlists get some`() {
        var stage = Stage.sampled(.pair)
        stage.options.mediaRate = 20
        let (watch, findings, answers) = stage.watch(for: 400)
        #expect(Self.counted(findings) == [])
        let bytes = Self.loaded(answers).reduce(0) { $0 + $1.bytes.count }
        #expect(bytes > 4000 && bytes < 400 * 20 + 200 + 2000)
        let names = Self.loaded(answers).map { $0.url.split(separator: "/").last?.first }
        #expect(names.contains("a") && names.contains("b"))
        #expect(watch.figures.text.contains("not looked at: the media of the other "))
    }

    @Test(arguments: [403, 404, 405, 501])
    func `a server that refuses HEAD is asked with GET`(status: Int) {
        var stage = Stage(kind: .plain)
        stage.change = { if $0.segment != nil, $0.method == .head { $0.status = status } }
        let (watch, findings, answers) = stage.watch(for: 130)
        #expect(findings.map(\.broken.message.text) == ["HEAD returns \(status), GET returns 200"])
        #expect(watch.figures.stalls == 0)
        #expect(answers.count { $0.method == .head } <= 4)
    }

    @Test func `a refused reload is repeated after the time that the server asks for`() throws {
        var stage = Stage(kind: .plain)
        stage.change = {
            if $0.playlist != nil, $0.at > 50, $0.at < 52.5 { ($0.status, $0.headers) = (503, ["retry-after": "9"]) }
        }
        let loads = stage.watch(for: 130).answers.filter { $0.url.hasSuffix(".m3u8") }
        let index = try #require(loads.firstIndex { $0.status == 503 })
        #expect((loads[index + 1].began - loads[index].ended).seconds >= 9)
    }
}
