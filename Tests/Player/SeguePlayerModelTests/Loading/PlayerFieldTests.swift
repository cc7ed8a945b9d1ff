import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// The effects of the fields in which real players' loading differs.
@Suite struct `Fields of players` {
    /// Six seconds of the title take 3.6 s, and playback starts with the first segment.
    private let line = Line(delay: .zero, bitsPerSecond: 800_000)
    private let atOnce = [
        "keep-up-least": "10 ms", "keep-up-enough": "10 ms", "start-segments": "none", "client-data": "none",
    ]

    private func platform(_ changes: [String: String]) throws -> PlatformProfile {
        try Shipped.platform("desktop", atOnce.merging(changes) { $1 })
    }

    private func rig(
        _ changes: [String: String],
        _ title: Title = Title(name: "title", duration: 60),
        line: Line? = nil,
        pieces: Int = 60,
        instead: @escaping (FetchRequest) -> MemoryFetcher.Answer? = { _ in nil }
    ) throws -> Rig {
        let rig = Rig(platform: try platform(changes), line: line ?? self.line, titles: [title], instead: instead)
        rig.fetcher.pieces = pieces
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    /// The first audio, in seconds.
    private func start(_ rig: Rig) -> Double { rig.trail.stretches.first?.began.seconds ?? .infinity }

    private func stalls(_ rig: Rig) -> Int { rig.trail.stretches.count { $0.reason == "stall" } }

    // MARK: What counts

    @Test(arguments: [("segments", 3.6), ("bytes", 0.12)])
    func `the received part of a segment plays where bytes count`(counts: String, from: Double) throws {
        let rig = try rig(["counts": counts])
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(abs(start(rig) - from) < 0.1)
        #expect(stalls(rig) == 0)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(60))
    }

    @Test func `a link slower than the media stalls in the middle of a segment where bytes count`() throws {
        // 6 s take 9 s, so the received part lasts two thirds of its loading time.
        let slow = Line(delay: .zero, bitsPerSecond: 320_000)
        let rig = try rig(["counts": "bytes", "resumes-with": "2 s"], line: slow)
        rig.runner.run()
        #expect(rig.session.isFinished)
        let ends = rig.trail.stretches.filter { $0.reason == "stall" }.map(\.end.seconds)
        #expect(ends.count > 2)
        #expect(ends.contains { $0.truncatingRemainder(dividingBy: 6) > 0.5 })
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(60))
        let whole = try self.rig(["resumes-with": "2 s"], line: slow)
        whole.runner.run()
        #expect(whole.trail.stretches.allSatisfy { $0.end.seconds.truncatingRemainder(dividingBy: 6) == 0 })
    }

    @Test func `blocks of a transport stream count when they are complete`() throws {
        // 6 s are 360 kB, so that a block is 0.55 s and takes 0.33 s.
        let rig = try rig(["counts": "blocks", "keep-up-least": "1 s", "keep-up-enough": "1 s"])
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(abs(start(rig) - 0.66) < 0.04)
    }

    @Test func `the received part of an interrupted segment no longer counts`() throws {
        var bench = Bench(try platform(["counts": "bytes"]))
        let title = Title(name: "title", duration: 60)
        bench.insert(title.address.full)
        bench.answer(from: title)
        let request = bench.requests[0]
        let bytes = try #require(title.answer("title/full/0.ts")).bytes
        let head = FetchResponse(
            status: 200,
            headers: [(name: "content-length", value: "\(bytes.count)")],
            url: request.url,
            serverAddress: ""
        )
        bench.act { $0.handle(.response(request.id, head), at: $1) }
        bench.act { $0.handle(.data(request.id, FetchBytes(Array(bytes[..<(bytes.count / 2)]))), at: $1) }
        let half = try #require(bench.current).bufferedEnd
        #expect(half > .seconds(2.9) && half <= .seconds(3))
        bench.fail(after: .zero)
        #expect(bench.current?.bufferedEnd == .zero)
    }

    // MARK: How much does

    @Test(arguments: [
        ("none", 6.0, 3.6), ("1.5", 6, 7.2), ("1.5", 2, 2.4), ("3", 6, 7.2), ("0.5", 6, 3.6),
    ])
    func `playback begins with a number of segments, up to a limit, where the platform counts them`(
        segments: String,
        length: Double,
        begins: Double
    ) throws {
        let title = Title(name: "title", duration: 60, segmentDuration: length)
        let changes = ["start-segments": segments, "start-most": "10 s"]
        let rig = try rig(changes, title, pieces: 1)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(abs(start(rig) - begins) < 0.1)
    }

    @Test func `media held by decoders add to that, and remain in a stall`() throws {
        let title = Title(name: "title", duration: 60, segmentDuration: 2)
        let rig = try rig(["start-segments": "1.5", "decoded": "1600 ms"], title, pieces: 1)
        rig.runner.run()
        // 4.6 s are three segments of 2 s, which take 1.2 s each.
        #expect(abs(start(rig) - 3.6) < 0.1)
        // With segments of 2 s that take 2.4 s each, the media in decoders remain of whole ones.
        let slow = try self.rig(
            ["decoded": "500 ms"],
            title,
            line: Line(delay: .zero, bitsPerSecond: 400_000),
            pieces: 1
        )
        slow.runner.run()
        let ends = slow.trail.stretches.filter { $0.reason == "stall" }.map(\.end.seconds)
        #expect(ends.count > 5 && ends.allSatisfy { $0.truncatingRemainder(dividingBy: 2) == 1.5 }, "\(ends)")
        #expect(slow.trail.heard(at: slow.loop.now) == .seconds(60))
    }

    @Test func `playback begins after the next request and a delay`() throws {
        let title = Title(name: "title", duration: 60, segmentDuration: 2)
        let changes = ["start-waits-for-request": "true", "start-latency": "200 ms"]
        let rig = try rig(changes, title, pieces: 1)
        rig.runner.run()
        // Each segment takes 1.2 s.
        #expect(abs(start(rig) - 2.6) < 0.1)
        // If loading pauses after one, there is nothing to wait for.
        let resting = try self.rig(
            changes.merging(["buffer-limit": "2 s", "buffer-resume": "1 s"]) { $1 },
            title,
            pieces: 1
        )
        resting.runner.run()
        #expect(abs(start(resting) - 1.2) < 0.1)
        #expect(rig.session.isFinished && resting.session.isFinished)
    }

    // MARK: What is asked for

    @Test(arguments: [("1", 1), ("2", 2)])
    func `the item's own URL is requested as often as the platform does`(requests: String, count: Int) throws {
        let rig = try rig(["entry-requests": requests, "connections": "apart"])
        rig.runner.run()
        #expect(rig.session.isFinished)
        let entries = rig.fetcher.asked.filter { $0.url.hasSuffix("full.m3u8") }
        #expect(entries.map(\.lane) == (1...count).map { "entry \($0)" })
        let segments = Set(rig.fetcher.asked.filter { $0.url.hasSuffix(".ts") }.map(\.lane))
        #expect(segments.count == 1 && segments.first?.hasPrefix("segments ") == true)
    }

    @Test func `the next segment is requested beside the current one, and read after it`() throws {
        var bench = Bench(try platform(["prefetch": "true"]))
        let title = Title(name: "title", duration: 60)
        bench.insert(title.address.full)
        bench.answer(from: title)
        #expect(bench.requests.map(\.isUnread) == [false])
        let first = bench.requests[0]
        let bytes = try #require(title.answer("title/full/0.ts")).bytes
        let head = FetchResponse(status: 200, headers: [], url: first.url, serverAddress: "")
        bench.act { $0.handle(.response(first.id, head), at: $1) }
        bench.act { $0.handle(.data(first.id, FetchBytes(bytes)), at: $1) }
        bench.pass(.seconds(1))
        #expect(bench.requests.map { $0.url.hasSuffix("1.ts") } == [false, true])
        #expect(bench.requests.map(\.isUnread) == [false, true])
        let second = bench.requests[1]
        #expect(bench.read.isEmpty)
        bench.act { $0.handle(.finished(first.id), at: $1) }
        bench.pass(.seconds(1))
        #expect(bench.read == [second.id])
    }

    @Test func `all variants are probed before one is played, and then closed`() throws {
        let ladder =
            "#EXTM3U\n"
            + ["low": 300_000, "high": 900_000].sorted { $0.value < $1.value }.map {
                "#EXT-X-STREAM-INF:BANDWIDTH=\($0.value)\n\($0.key)/index.m3u8\n"
            }.joined()
        let title = Title(name: "title", duration: 60)
        let changes = ["probes": "variants", "first-variant": "highest", "switching": "never", "counts": "bytes"]
        let rig = Rig(platform: try platform(changes), line: line, titles: []) { request in
            let path = request.url.dropFirst("http://origin/".count)
            if path == "index.m3u8" { return (200, Array(ladder.utf8)) }
            let file = path.split(separator: "/").last ?? ""
            return title.answer(file == "index.m3u8" ? "title/full.m3u8" : "title/full/\(file)")
        }
        rig.fetcher.pieces = 60
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.session.isFinished)
        let media = rig.fetcher.asked.map(\.url).filter { $0.hasSuffix(".ts") }
        #expect(media.filter { $0.contains("/low/") } == ["http://origin/low/full/0.ts"])
        #expect(media.filter { $0.contains("/high/") }.count == 10)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(60))
    }

    @Test func `a playlist of byte ranges fails on platforms without support`() throws {
        let ranges =
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:6,\n"
            + "#EXT-X-BYTERANGE:1000@0\nall.ts\n#EXT-X-ENDLIST\n"
        let rig = try rig(["byte-ranges": "refused"]) { request in
            request.url.hasSuffix("full.m3u8") ? (200, Array(ranges.utf8)) : nil
        }
        rig.runner.run()
        #expect(rig.session.isFailed)
        #expect(!rig.fetcher.asked.contains { $0.url.hasSuffix("all.ts") })
    }

    @Test(arguments: [("20 s", 24), ("11 s", 12)])
    func `loading resumes just below the limit where it pauses above it`(resume: String, most: Int) throws {
        let rig = try rig(["buffer-limit": resume, "buffer-resume": resume], line: .wifi)
        var ahead: [Duration] = []
        for second in 1...40 {
            rig.runner.run(until: Instant(seconds: Double(second)))
            if let item = rig.session.player.current { ahead.append(item.bufferedEnd - item.position) }
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        let most = Duration.seconds(most)
        #expect(ahead.prefix(30).allSatisfy { $0 <= most + .seconds(6) && $0 >= most - .seconds(6) }, "\(ahead)")
    }

    @Test func `after a number of stalls, more buffer is required`() throws {
        let slow = Line(delay: .zero, bitsPerSecond: 400_000)
        let title = Title(name: "title", duration: 60, segmentDuration: 2)
        func lengths(_ changes: [String: String]) throws -> [Double] {
            let rig = try rig(changes, title, line: slow, pieces: 1)
            rig.runner.run()
            #expect(rig.session.isFinished)
            return rig.trail.stretches.dropLast().map { ($0.end - $0.start).seconds }
        }
        // Each segment arrives 0.4 s after the previous one has been played.
        #expect(try lengths([:]).allSatisfy { $0 == 2 })
        let later = try lengths(["resumes-with-later": "2100 ms", "later-after-stalls": "3"])
        #expect(later.prefix(4) == [2, 2, 2, 2])
        #expect(later.dropFirst(4).allSatisfy { $0 > 4 } && later.count > 4)
    }

    // MARK: What follows a failure

    /// The head, half of segment 1, and the loss of its connection.
    private func broken(_ changes: [String: String], sends size: Int? = nil) throws -> (Bench, [UInt8]) {
        let title = Title(name: "title", duration: 60)
        var bench = Bench.loaded(try platform(changes), title, segments: 1)
        let request = bench.requests[0]
        let bytes = try #require(title.answer("title/full/1.ts")).bytes
        let length = size.map { [(name: "content-length", value: "\($0)")] } ?? []
        let head = FetchResponse(status: 200, headers: length, url: request.url, serverAddress: "")
        bench.act { $0.handle(.response(request.id, head), at: $1) }
        bench.act { $0.handle(.data(request.id, FetchBytes(Array(bytes[..<100_000]))), at: $1) }
        bench.fail(after: .zero)
        bench.pass(.seconds(2))
        return (bench, bytes)
    }

    @Test func `an interrupted segment is requested again, or only its rest`() throws {
        let size = try #require(Title(name: "title", duration: 60).answer("title/full/1.ts")).bytes.count
        let (anew, _) = try broken([:], sends: size)
        #expect(anew.requests[0].url.hasSuffix("full/1.ts") && anew.requests[0].range == nil)
        let (unknown, _) = try broken(["retry-from": "received"])
        #expect(unknown.requests[0].range == nil)
        var (rest, bytes) = try broken(["retry-from": "received"], sends: size)
        #expect(rest.requests[0].range == FetchRange(offset: 100_000, length: Int64(size - 100_000)))
        rest.answer((206, Array(bytes[100_000...])))
        #expect(rest.current?.bufferedEnd == .seconds(12))
        #expect(rest.requests[0].url.hasSuffix("full/2.ts") && rest.requests[0].range == nil)
        // A server without support for ranges sends the whole.
        (rest, bytes) = try broken(["retry-from": "received"], sends: size)
        rest.answer((200, bytes))
        #expect(rest.current?.bufferedEnd == .seconds(12))
    }

    @Test(arguments: [("fail-when-played", 18.0), ("fail-now", 4), ("skip", 60)])
    func `a missing segment ends the item after the rest, immediately, or is skipped`(
        after: String,
        heard: Double
    ) throws {
        let changes = ["after-retries": after, "retries": "0", "retries-by-kind": "[lost 0]"]
        let rig = try rig(changes, line: Line(delay: .zero, bitsPerSecond: 2_160_000), pieces: 1) { request in
            request.url.hasSuffix("full/3.ts") ? (404, []) : nil
        }
        rig.runner.run()
        // Three segments have arrived after 4 s, when a third of the first has been played.
        let played = rig.trail.stretches.map { ($0.end - $0.start).seconds }.reduce(0, +)
        #expect(rig.session.isFailed == (after != "skip"))
        #expect(after == "fail-now" ? played > 2 && played < heard : played == heard, "\(played)")
        if after == "skip" { #expect(rig.trail.heard(at: rig.loop.now) == .seconds(54)) }
    }
}
