import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Low latency` {
    private func apple(_ changes: [String: String] = [:]) throws -> PlatformProfile {
        try Shipped.platform("ios-15", changes)
    }

    private func errors(_ rig: Rig) -> [String] {
        rig.kinds.compactMap { if case .errorLogEntry(_, _, _, _, _, let comment) = $0 { comment } else { nil } }
    }

    private func playlists(_ rig: Rig) -> [(at: Double, query: String)] {
        rig.runner.log.events.compactMap { event in
            guard case .requestBegan(_, let url, "playlist") = event.kind else { return nil }
            return (event.at.seconds, String(url.split(separator: "?").dropFirst().joined()))
        }
    }

    private func media(_ rig: Rig) -> [String] { rig.paths.filter { $0.hasSuffix(".ts") } }

    /// The distance between the newest part and the position heard.
    private func latency(_ rig: Rig, _ title: LowLatencyTitle) throws -> Double {
        let heard = try #require(rig.trail.stretches(at: rig.loop.now).last)
        return Double(title.parts(at: rig.loop.now)) - heard.end.seconds
    }

    @Test(arguments: ["ios-14.0", "ios-15", "ios-26.4", "android-media3"])
    func `parts play as they arrive, no further behind than the hold-back and a part`(name: String) throws {
        let title = LowLatencyTitle()
        let rig = title.rig(try Shipped.platform(name))
        rig.runner.run(until: Instant(seconds: 30.5))
        #expect(errors(rig) == [])
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
        let behind = try latency(rig, title)
        #expect(behind > 2 && behind < 4.5, "\(behind)")
        #expect(media(rig).contains { $0.split(separator: ".").count == 3 })
        // A viewer who joins between two segments gets the rest of the first, and then parts only.
        #expect(media(rig).dropFirst(6).allSatisfy { $0.split(separator: ".").count == 3 }, "\(media(rig))")
    }

    @Test(arguments: ["ios-12.3", "desktop"])
    func `platforms without support play whole segments three target durations behind`(name: String) throws {
        let title = LowLatencyTitle()
        let rig = title.rig(try Shipped.platform(name))
        rig.runner.run(until: Instant(seconds: 30.5))
        #expect(playlists(rig).allSatisfy { $0.query == "" })
        #expect(media(rig).allSatisfy { $0.split(separator: ".").count == 2 })
        #expect(rig.trail.stretches(at: rig.loop.now).first?.start == .seconds(28))
    }

    @Test func `each reload waits for the next part, and skips known segments`() throws {
        let rig = LowLatencyTitle().rig(try apple())
        rig.runner.run(until: Instant(seconds: 6.5))
        let asked = playlists(rig).map(\.query)
        #expect(asked.first == "")
        #expect(asked.dropFirst().first == "_HLS_msn=10&_HLS_part=0", "nothing to leave anything out of yet")
        #expect(
            Array(asked.dropFirst(2).prefix(4)) == [
                "_HLS_msn=10&_HLS_part=1&_HLS_skip=YES", "_HLS_msn=10&_HLS_part=2&_HLS_skip=YES",
                "_HLS_msn=10&_HLS_part=3&_HLS_skip=YES", "_HLS_msn=11&_HLS_part=0&_HLS_skip=YES",
            ]
        )
        let loaded = rig.kinds.compactMap { if case .playlistLoaded(_, _, let count, _) = $0 { count } else { nil } }
        #expect(loaded.last == 11, "what was left out is there all the same")
    }

    @Test func `an interstitial that delta updates skip still plays`() throws {
        var title = LowLatencyTitle()
        title.control += ",CAN-SKIP-DATERANGES=YES"
        let range = InterruptedTitle.range("ad", at: 45, "\(InterruptedTitle.asset),DURATION=10")
        let ads = InterruptedTitle(ranges: [])
        let made = title
        let rig = title.rig(
            try apple(),
            instead: { request, now in
                if request.url.contains("/ad/") { return ads.answer(request.url) }
                guard request.url.contains(".m3u8") else { return nil }
                let text = made.playlist(
                    at: max(now, made.release(request.url)),
                    skips: request.url.contains("_HLS_skip=v2")
                )
                if request.url.contains("_HLS_skip=v2") {
                    let skip = "#EXT-X-SKIP:RECENTLY-REMOVED-DATERANGES=\"\","
                    return (200, Array(text.replacing("#EXT-X-SKIP:", with: skip).utf8))
                }
                let dated = "\(range)\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:10:00Z\n#EXTINF"
                return (200, Array(text.replacing("#EXTINF", with: dated, maxReplacements: 1).utf8))
            }
        )
        rig.runner.run(until: Instant(seconds: 30.5))
        let reloads = playlists(rig).map(\.query).filter { $0.hasPrefix("_HLS_msn=") }
        #expect(reloads.dropFirst().allSatisfy { $0.hasSuffix("&_HLS_skip=v2") } && reloads.count > 20)
        #expect(rig.played.prefix(2) == ["item-1 36-45", "item-2 0-10"])
        #expect(rig.played.last?.hasPrefix("item-1 55-") == true, "\(rig.played)")
        #expect(errors(rig) == [])
    }

    @Test func `a hinted part is requested once, before it is listed`() throws {
        let rig = LowLatencyTitle().rig(try apple())
        rig.runner.run(until: Instant(seconds: 12.5))
        let parts = media(rig)
        #expect(Set(parts).count == parts.count, "nothing is asked for twice: \(parts)")
        var asked: [String: Double] = [:]
        for event in rig.runner.log.events {
            if case .requestBegan(_, let url, "part") = event.kind { asked[url] = event.at.seconds }
        }
        // The third part of segment 11 exists after 7 s, and is requested right after the previous one arrived.
        let early = try #require(asked["http://origin/11.2.ts"])
        #expect(early > 6 && early < 6.1)
        let without = LowLatencyTitle(hints: false).rig(try apple())
        without.runner.run(until: Instant(seconds: 12.5))
        let late = without.runner.log.events.first {
            if case .requestBegan(_, "http://origin/11.2.ts", _) = $0.kind { true } else { false }
        }
        #expect(late.map { $0.at.seconds > 7 && $0.at.seconds < 7.1 } == true)
    }

    @Test func `a hint without a response times out, and the part is requested by its URL`() throws {
        let title = LowLatencyTitle()
        let rig = title.rig(try apple())
        rig.fetcher.isSilent = { [loop = rig.loop] request in
            // A request for media that do not exist yet never gets a response.
            LowLatencyTitle.media(request.url) != nil && title.release(request.url) > loop.now
        }
        rig.runner.run(until: Instant(seconds: 60.5))
        let given = errors(rig).filter { $0.hasPrefix("timed out waiting for the hinted resource") }
        #expect(given.count == 2, "then no more hints are followed: \(errors(rig))")
        #expect(rig.session.player.current?.isFailed == false)
        #expect(try latency(rig, title) < 60)
        let late = rig.runner.log.events.filter { event in
            if case .segmentLoaded = event.kind { event.at.seconds > 40 } else { false }
        }
        #expect(late.count >= 15)
    }

    @Test func `a wrong hint is discarded`() throws {
        var title = LowLatencyTitle(hints: false)
        title.tail = { "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"other.\(Int($0.seconds)).ts\"\n" }
        let rig = title.rig(
            try apple(),
            instead: { request, _ in request.url.contains("other") ? (200, [1, 2, 3]) : nil }
        )
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(errors(rig).filter { $0.hasPrefix("the next part is not the hinted one") }.count == 2)
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
        #expect(try latency(rig, title) < 5)
    }

    @Test func `a server that responds early twice gets ordinary requests`() throws {
        let title = LowLatencyTitle(keepsWaiting: false, hints: false)
        let rig = title.rig(try apple())
        rig.runner.run(until: Instant(seconds: 60.5))
        #expect(errors(rig).filter { $0.hasPrefix("the response did not wait") }.count == 2)
        let last = playlists(rig).suffix(4)
        #expect(last.allSatisfy { $0.query == "" })
        #expect(playlists(rig).count < 30)
        #expect(media(rig).suffix(5).allSatisfy { $0.split(separator: ".").count == 2 }, "\(media(rig))")
        #expect(rig.session.player.current?.isFailed == false)
    }

    @Test(arguments: [400, 404, 503])
    func `a server that refuses directives gets requests without them`(status: Int) throws {
        let title = LowLatencyTitle(hints: false)
        let rig = title.rig(
            try apple(),
            instead: { request, _ in request.url.contains("_HLS_") ? (status, []) : nil }
        )
        rig.runner.run(until: Instant(seconds: 60.5))
        let refused = rig.kinds.filter { if case .errorLogEntry(_, _, status, _, _, _) = $0 { true } else { false } }
        #expect(refused.count == 2)
        #expect(playlists(rig).suffix(5).allSatisfy { $0.query == "" })
        #expect(rig.session.player.current?.isFailed == false)
        #expect(media(rig).last?.split(separator: ".").count == 2)
    }

    @Test func `a reload that is delayed forever times out`() throws {
        let rig = LowLatencyTitle(hints: false).rig(try apple())
        rig.fetcher.isSilent = { $0.url.contains("_HLS_") }
        rig.runner.run(until: Instant(seconds: 60.5))
        #expect(errors(rig).filter { $0.hasPrefix("no response within 13.0 s") }.count == 2, "\(errors(rig))")
        #expect(playlists(rig).suffix(5).allSatisfy { $0.query == "" })
        #expect(rig.session.player.current?.isFailed == false)
    }

    @Test func `a segment with a missing part loads as a whole`() throws {
        let title = LowLatencyTitle()
        let rig = title.rig(
            try apple(),
            instead: { request, _ in request.url.hasSuffix("/11.2.ts") ? (404, []) : nil }
        )
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(media(rig).contains("11.ts"))
        #expect(media(rig).contains("12.1.ts"), "the next one is taken in parts again")
        let starts = rig.trail.stretches(at: rig.loop.now)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0.end == $1.start }, "nothing is left out")
    }

    @Test func `a part that is a gap is passed`() throws {
        var title = LowLatencyTitle()
        title.marks = { $0 == 11 && $1 == 2 ? ",GAP=YES" : $1 == 0 ? ",INDEPENDENT=YES" : "" }
        title.hints = false
        let rig = title.rig(try apple())
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(!media(rig).contains("11.2.ts") && !media(rig).contains("11.ts"))
        let silent = rig.trail.stretches(at: rig.loop.now).filter { !$0.isHeard }
        #expect(silent.map(\.start) == [.seconds(46)] && silent.map(\.length) == [.seconds(1)])
    }

    @Test func `a delta update that does not match leads to a full reload`() throws {
        let title = LowLatencyTitle(hints: false)
        let rig = title.rig(
            try apple(),
            instead: { request, now in
                guard request.url.contains("_HLS_skip"), now.seconds > 5, now.seconds < 6 else { return nil }
                let text = title.playlist(at: max(now, title.release(request.url)), skips: true)
                return (200, Array(text.replacing("SKIPPED-SEGMENTS=", with: "SKIPPED-SEGMENTS=9").utf8))
            }
        )
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(
            errors(rig).count == 1 && errors(rig)[0].contains("the delta update skips segments"),
            "\(errors(rig))"
        )
        let after = playlists(rig).first { $0.at > 6 }
        #expect(after?.query.contains("_HLS_skip") == false)
        #expect(playlists(rig).last?.query.contains("_HLS_skip") == true)
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test func `playback reaches its end`() throws {
        let rig = LowLatencyTitle(end: 14).rig(try apple())
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.trail.stretches.last?.end == .seconds(56))
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test(arguments: [
        ("CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6", 34), ("CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0.1", 38),
        ("CAN-BLOCK-RELOAD=YES,HOLD-BACK=20", 20), ("HOLD-BACK=20", 20), ("HOLD-BACK=2", 28),
        ("CAN-BLOCK-RELOAD=YES", 28),
        ("CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1000000000", 0),
    ])
    func `a viewer joins at the hold-back of the server, if possible`(control: String, start: Int) throws {
        // 40 s are listed.
        var title = LowLatencyTitle(control: control)
        title.marks = { _, _ in ",INDEPENDENT=YES" }
        let rig = title.rig(try apple())
        rig.runner.run(until: Instant(seconds: 10))
        let first = try #require(rig.trail.stretches(at: rig.loop.now).first?.start.seconds)
        #expect(first == Double(start), "\(first)")
    }

    @Test func `excessive times and endless parts are tolerated`() throws {
        for tail in ["#EXT-X-PART:DURATION=0.000001,URI=\"a.ts\"\n", "#EXT-X-PART:DURATION=99999999,URI=\"a.ts\"\n"] {
            var title = LowLatencyTitle(hints: false)
            title.tail = { _ in String(repeating: tail, count: 2000) }
            let rig = title.rig(try apple())
            rig.runner.run(until: Instant(seconds: 20))
            #expect(rig.fetcher.asked.count < 5000)
        }
        let far = LowLatencyTitle(before: 10)
        let rig = far.rig(
            try apple(),
            instead: { request, now in
                guard request.url.hasSuffix(".m3u8") else { return nil }
                let text = far.playlist(at: now, skips: false)
                return (200, Array(text.replacing("SEQUENCE:0", with: "SEQUENCE:9007199254740991").utf8))
            }
        )
        rig.runner.run(until: Instant(seconds: 20))
    }

    @Test func `another variant's playlist is requested as recent as its report`() throws {
        var title = LowLatencyTitle(hints: false)
        title.weight = 20_000
        title.tail = { now in
            let parts = LowLatencyTitle().parts(at: now)
            let last = "LAST-MSN=\(parts % 4 == 0 ? parts / 4 - 1 : parts / 4),LAST-PART=\((parts + 3) % 4)"
            return "#EXT-X-RENDITION-REPORT:URI=\"../high/live.m3u8\",\(last)\n"
        }
        let master =
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=200000\nlow/live.m3u8\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=400000\nhigh/live.m3u8\n"
        let platform = try apple(["first-variant": "lowest"])
        let rig = title.rig(
            platform,
            instead: { request, _ in
                request.url == "http://origin/live.m3u8" ? (200, Array(master.utf8)) : nil
            }
        )
        rig.runner.run(until: Instant(seconds: 20.5))
        #expect(rig.chosen == ["low", "high"])
        let first = try #require(rig.paths.first { $0.hasPrefix("high/live.m3u8") })
        #expect(first.contains("_HLS_msn=9&_HLS_part=3"), "\(first)")
        #expect(errors(rig) == [])
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
        #expect(try latency(rig, title) < 4.5)
    }
}
