import SegueBase
import SegueEvents
import SegueFetch
import SeguePlaylists
import Testing

@testable import SeguePlayerModel

@Suite struct `Content steering` {
    private let line = Line(delay: .milliseconds(10), bitsPerSecond: 10_000_000)

    /// Two pathways with the same two variants each, and a server whose responses depend on the number of requests.
    private func rig(
        server: String = "steer.json",
        first: String? = "A",
        platform: String = "ios-15",
        duration: Int = 600,
        instead: @escaping (String) -> MemoryFetcher.Answer? = { _ in nil },
        _ manifest: @escaping (Int) -> MemoryFetcher.Answer?
    ) throws -> Rig {
        let rungs = ["a", "b", "c"].flatMap { pathway in
            [Variants.Rung(name: "\(pathway)1", bandwidth: 500_000), .init(name: "\(pathway)2", bandwidth: 900_000)]
        }
        let all = Variants(rungs: rungs, duration: duration)
        var asked = 0
        let pathway = first.map { ",PATHWAY-ID=\"\($0)\"" } ?? ""
        let text =
            "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"\(server)\"\(pathway)\n"
            + ["B", "A"].flatMap { id in
                [(1, 500_000), (2, 900_000)].map { number, rate in
                    "#EXT-X-STREAM-INF:BANDWIDTH=\(rate),PATHWAY-ID=\"\(id)\"\n\(id.lowercased())\(number)/index.m3u8\n"
                }
            }.joined()
        return all.rig(try Shipped.platform(platform), line: line) { request in
            let path = request.url.replacing("http://origin/", with: "").replacing("http://other/", with: "")
            if let other = instead(request.url) { return other }
            if path == "master.m3u8" { return (200, Array(text.utf8)) }
            guard path.hasPrefix("steer") else { return all.answer(String(path.split(separator: "?")[0])) }
            asked += 1
            return manifest(asked)
        }
    }

    private func json(_ priority: String, ttl: String = "30", more: String = "") -> MemoryFetcher.Answer {
        (200, Array("{\"VERSION\":1,\"TTL\":\(ttl),\"PATHWAY-PRIORITY\":[\(priority)]\(more)}".utf8))
    }

    private func steers(_ rig: Rig) -> [Double] {
        rig.runner.log.events.compactMap { event in
            if case .requestBegan(_, _, "steering") = event.kind { event.at.seconds } else { nil }
        }
    }

    @Test func `playback starts with the playlist's pathway, and changes to the server's`() throws {
        let rig = try rig { $0 == 1 ? json("\"A\",\"B\"") : json("\"B\",\"A\"") }
        rig.runner.run(until: Instant(seconds: 70))
        #expect(rig.chosen.first?.first == "a")
        #expect(rig.chosen.last?.first == "b")
        let times = steers(rig)
        #expect(times.count == 3 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 30) < 0.2 }, "\(times)")
        let first = try #require(rig.paths.first { $0.hasPrefix("steer") && $0 != "steer.json" })
        #expect(first.hasPrefix("steer.json?_HLS_pathway=A"))
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test func `platforms without support use all variants and send no request`() throws {
        let rig = try rig(platform: "desktop") { _ in json("\"A\"") }
        rig.runner.run(until: Instant(seconds: 30))
        #expect(steers(rig) == [])
        #expect(rig.chosen.first?.first == "b")
    }

    @Test(arguments: [
        "", "[]", "{\"VERSION\":2,\"PATHWAY-PRIORITY\":[\"B\"]}", "{\"VERSION\":1,\"PATHWAY-PRIORITY\":[]}", "\u{0}",
        "{\"VERSION\":1,\"PATHWAY-PRIORITY\":[\"X\"]}", "{\"VERSION\":1,\"TTL\":1e999,\"PATHWAY-PRIORITY\":[\"X\"]}",
    ])
    func `an unusable manifest changes nothing`(text: String) throws {
        let rig = try rig { _ in (200, Array(text.utf8)) }
        rig.runner.run(until: Instant(seconds: 310))
        #expect(Set(rig.chosen.compactMap(\.first)) == ["a"])
        #expect(steers(rig).count <= 2)
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test
    func `requests come at least ten seconds apart, never to a server that is gone, and with a size limit`()
        throws
    {
        let often = try rig { _ in json("\"A\"", ttl: "0") }
        often.runner.run(until: Instant(seconds: 61))
        #expect(steers(often).count == 7)
        let gone = try rig { _ in (410, []) }
        gone.runner.run(until: Instant(seconds: 400))
        #expect(steers(gone).count == 1)
        let great = try rig { _ in (200, [UInt8](repeating: 32, count: 100 << 20)) }
        great.runner.run(until: Instant(seconds: 250))
        #expect(steers(great).count == 1)
        #expect(great.trail.stretches(at: great.loop.now).count == 1)
        let complaints = great.kinds.compactMap { kind in
            if case .errorLogEntry(_, _, _, _, _, let comment) = kind { comment } else { nil }
        }
        #expect(complaints.count == 1 && complaints[0].contains("more than the 1048576 bytes"), "\(complaints)")
    }

    @Test func `a pathway that fails is left for the next one, and not used again for a while`() throws {
        let rig = try rig(instead: { $0.contains("/a2/3") ? (403, []) : nil }) { _ in
            json("\"A\",\"B\"", ttl: "300")
        }
        rig.runner.run(until: Instant(seconds: 50))
        #expect(rig.chosen == ["a2", "b2"], "the other variant of the pathway is not tried")
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test
    func `a clone is its base pathway on another host, and loops and unknown bases are skipped`()
        throws
    {
        let clones =
            ",\"PATHWAY-CLONES\":[{\"BASE-ID\":\"C\",\"ID\":\"C\",\"URI-REPLACEMENT\":{}},"
            + "{\"BASE-ID\":\"A\",\"ID\":\"C\",\"URI-REPLACEMENT\":{\"HOST\":\"other\",\"PARAMS\":{\"k\":\"1\"}}},"
            + "{\"BASE-ID\":\"C\",\"ID\":\"A\",\"URI-REPLACEMENT\":{\"HOST\":\"bad\"}}]"
        let rig = try rig { _ in json("\"C\",\"A\"", more: clones) }
        rig.runner.run(until: Instant(seconds: 40))
        #expect(
            rig.fetcher.asked.contains { $0.url.hasPrefix("http://other/a") && $0.url.hasSuffix("/index.m3u8?k=1") }
        )
        #expect(!rig.fetcher.asked.contains { $0.url.contains("//bad") })
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test(arguments: ["%7B%22VERSION%22:1,%22PATHWAY-PRIORITY%22:[%22B%22]%7D", "base64"])
    func `a manifest may be contained in the playlist`(text: String) throws {
        let base = "eyJWRVJTSU9OIjoxLCJQQVRIV0FZLVBSSU9SSVRZIjpbIkIiXX0="
        let uri = text == "base64" ? "data:application/json;base64,\(base)" : "data:application/json,\(text)"
        let rig = try rig(server: uri) { _ in nil }
        rig.runner.run(until: Instant(seconds: 60))
        #expect(rig.chosen.last?.first == "b")
        #expect(steers(rig) == [])
    }

    @Test func `JSON is parsed strictly`() throws {
        let text =
            "{\"VERSION\": 1, \"TTL\": 3e1, \"PATHWAY-PRIORITY\": [\"a\\u0062\\ud83d\\ude00\\n\"], \"X\": [null, true, {}]}"
        let manifest = try #require(SteeringManifest(text))
        #expect(manifest.priority == ["ab\u{1F600}\n"] && manifest.secondsToLive == 30)
        for cut in 0..<text.count { #expect(SteeringManifest(String(text.prefix(cut))) == nil) }
        #expect(SteeringManifest(String(repeating: "[", count: 100_000)) == nil)
        #expect(SteeringManifest(text + "x") == nil)
    }
}
