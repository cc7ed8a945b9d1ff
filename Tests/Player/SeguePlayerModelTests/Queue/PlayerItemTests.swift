import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Player item` {
    let title = Title(name: "title", duration: 60)

    @Test func `loading begins when it becomes the current item`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["preload": "never"]))
        bench.insert(title.address.full)
        bench.insert("http://origin/other/full.m3u8")
        #expect(bench.requests.map(\.url) == [title.address.full])
        bench.act { $0.advanceToNextItem(at: $1) }
        #expect(bench.requests.map(\.url) == ["http://origin/other/full.m3u8"])
    }

    @Test func `the next item loads immediately if the profile states so`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["preload": "at-once"]))
        bench.insert(title.address.full)
        bench.insert("http://origin/other/full.m3u8")
        bench.insert("http://origin/third/full.m3u8")
        #expect(bench.requests.count == 2)
    }

    @Test func `the next item loads near the end of the current one if the profile states so`() throws {
        let platform = try Shipped.platform("desktop", ["preload": "near-end", "preload-within": "10 s"])
        let other = Title(name: "other", duration: 12)
        let rig = Rig(platform: platform, titles: [title, other])
        rig.plan(.open([title.address, other.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        let began = try #require(rig.trail.stretches.first?.began)
        #expect(rig.first { $0 == .itemLoading(item: "item-2") } == began + .seconds(50))
    }

    @Test func `an item that must not load yet does not keep the player awake`() throws {
        let platform = try Shipped.platform(
            "desktop",
            ["preload": "near-end", "preload-within": "100 s", "start-segments": "none"]
        )
        var bench = Bench(platform)
        let first = bench.insert(title.address.full)
        bench.act { player, now in
            let spare = player.makeItem(url: "http://origin/other/full.m3u8")
            player.insert(spare, after: first, companionOf: first, at: now)
        }
        bench.answer(from: title)
        bench.pass(.seconds(10))
        bench.answer(from: title)
        bench.act { $0.playImmediately(at: $1) }
        #expect(bench.player.timeControl == .playing)
        #expect(bench.current?.isLikelyToKeepUp == false)
        #expect(try #require(bench.player.nextChange(at: bench.now)) > bench.now)
    }

    @Test func `tracks and duration are valid before it is announced ready`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full)
        bench.answer(from: title)
        #expect(bench.current?.status == .unknown)
        #expect(bench.current?.duration == .seconds(60))
        #expect(bench.current?.tracks == nil)
        bench.answer(from: title)
        #expect(bench.current?.status == .readyToPlay)
        #expect(bench.current?.tracks == ItemTracks(hasVideo: true, hasAudio: true))
        #expect(bench.names(["item.tracksKnown", "item.readyToPlay"]) == ["item.tracksKnown", "item.readyToPlay"])
    }

    @Test(arguments: [
        ("hello", PlaybackError.PlaylistCode.unreadable),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-ENDLIST\n", .empty),
        (
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXTINF:6,
            0.ts
            #EXT-X-ENDLIST
            """,
            .encrypted
        ),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS=\"wxyz.1\"\nvariant.m3u8\n", .noVariant),
    ])
    func `an unusable playlist fails it permanently`(text: String, code: PlaybackError.PlaylistCode) throws {
        var bench = Bench(try Shipped.platform("desktop"))
        let item = bench.insert(title.address.full)
        bench.act { $0.play(at: $1) }
        bench.answer((200, Array(text.utf8)))
        guard case .failed(let error)? = bench.current?.status else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.domain == .playlist && error.code == code.rawValue, "\(error)")
        #expect(error.message.contains(title.address.full))
        #expect(bench.notices.contains(.itemFailed(item)))
        #expect(!bench.notices.contains(.itemFailedToPlayToEnd(item)))
        #expect(bench.current?.journal.errors.count == 1)
        #expect(bench.player.timeControl == .paused)
    }

    @Test func `a missing playlist fails it with the status and the server's text`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full)
        bench.answer((422, Array(#"{"error":{"code":"noSound","message":"the file has no sound"}}"#.utf8)))
        guard case .failed(let error)? = bench.current?.status else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.domain == .http && error.code == 422)
        #expect(error.message.contains("the file has no sound"))
        #expect(bench.current?.journal.errors.first?.status == 422)
    }

    @Test func `a busy server is retried before it fails`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["retries": "2", "retry-delay": "1 s"]))
        bench.insert(title.address.full)
        bench.answer((503, []))
        #expect(bench.requests.isEmpty)
        #expect(bench.player.nextChange(at: bench.now) == bench.now + .seconds(1))
        bench.pass(.seconds(1))
        bench.fail(.timedOut)
        // The second failure doubles the delay.
        bench.pass(.seconds(1))
        #expect(bench.requests.isEmpty)
        bench.pass(.seconds(1))
        bench.answer(from: title)
        #expect(bench.current?.duration == .seconds(60))
        #expect(bench.current?.journal.errors.map(\.error.code) == [503, -1001])
    }

    @Test func `data that are not media fail it`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full)
        bench.answer(from: title)
        bench.answer((200, Array("<html>not a segment</html>".utf8)))
        guard case .failed(let error)? = bench.current?.status else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.domain == .media)
    }

    @Test func `gap segments are passed, and a playlist of nothing but gaps fails it`() throws {
        let head = "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:6\n"
        let gap = "#EXT-X-GAP\n#EXTINF:6,\ngap.ts\n"
        var bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full)
        bench.answer((200, Array((head + gap + "#EXTINF:6,\nfull/1.ts\n#EXT-X-ENDLIST\n").utf8)))
        #expect(bench.requests.map(\.url) == ["http://origin/title/full/1.ts"])
        bench.answer(from: title)
        #expect(bench.current?.status == .readyToPlay)

        bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full)
        bench.answer((200, Array((head + gap + gap + "#EXT-X-ENDLIST\n").utf8)))
        #expect(bench.current?.isFailed == true)
    }

    @Test func `a missing segment fails it when the buffer has run out`() throws {
        let rig = Rig(
            platform: try Shipped.platform("desktop"),
            titles: [title],
            instead: { $0.url.hasSuffix("full/2.ts") ? (404, []) : nil }
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.session.isFailed)
        #expect(rig.session.position(at: rig.loop.now) == .seconds(12))
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(12))
        #expect(rig.kinds.contains { if case .itemFailedToPlayToEnd = $0 { true } else { false } })
        #expect(rig.session.player.current?.journal.errors.count == 4)
    }

    @Test func `a buffer that is too small plays if nothing more will come`() throws {
        let platform = try Shipped.platform("desktop", ["keep-up-least": "10 s", "retries": "0"])
        let rig = Rig(platform: platform, titles: [title], instead: { $0.url.hasSuffix("full/1.ts") ? (404, []) : nil })
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(6))
        #expect(rig.session.isFailed)
    }

    @Test func `the buffer flags are empty, likely to keep up, and full`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["buffer-limit": "15 s", "buffer-resume": "6 s"]))
        bench.insert(title.address.full)
        bench.answer(from: title)
        #expect(bench.current?.isBufferEmpty == true)
        bench.answer(from: title)
        #expect(bench.current?.isBufferEmpty == false)
        #expect(bench.current?.isLikelyToKeepUp == true)
        bench.answer(from: title)
        #expect(bench.current?.isBufferFull == false)
        bench.answer(from: title)
        #expect(bench.current?.isBufferFull == true)
        #expect(bench.requests.isEmpty)
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(12))
        #expect(bench.current?.isBufferFull == false)
        #expect(bench.requests.map(\.url) == ["http://origin/title/full/3.ts"])
    }

    @Test func `slow loading is not likely to keep up until enough is buffered`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["keep-up-enough": "20 s", "start-segments": "none"]))
        bench.insert(title.address.full)
        bench.answer(from: title)
        for _ in 0..<3 {
            bench.answer(from: title, after: .seconds(12))
            #expect(bench.current?.isLikelyToKeepUp == false)
        }
        bench.answer(from: title, after: .seconds(12))
        #expect(bench.current?.isLikelyToKeepUp == true)
        let entry = try #require(bench.current?.journal.access.last)
        #expect(entry.overdueSegments == 4)
        #expect(entry.transferTime == .seconds(48))
        #expect(entry.observedBitrate.count == 4)
        #expect(entry.observedBitrate.least == entry.observedBitrate.greatest)
        #expect((entry.observedBitrate.mean - 239_888).magnitude < 1)
        #expect(entry.observedBitrate.deviation < 1)
    }
}
