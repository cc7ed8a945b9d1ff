import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `HLS client` {
    let title = Title(name: "title", duration: 60)

    private func play(
        _ answers: [String: String],
        segment: @escaping (String) -> [UInt8] = { path in
            TransportStream.segment(hasVideo: !path.contains("audio"), hasAudio: path.contains("audio"), size: 20_000)
        }
    ) throws -> Rig {
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: []) { request in
            let path = request.url.replacing("http://origin/", with: "")
            if let text = answers[path] { return (200, Array(text.utf8)) }
            if let range = request.range {
                return (206, Array(segment(path).prefix(Int(range.length))))
            }
            return path.hasSuffix(".ts") ? (200, segment(path)) : nil
        }
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        return rig
    }

    private func media(_ prefix: String, _ count: Int = 3) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
            + (0..<count).map { "#EXTINF:6,\n\(prefix)\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    @Test func `a multivariant playlist leads to the first listed variant, and to the next one if that is gone`() throws
    {
        let rig = try play([
            "index.m3u8": """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=2000000
            gone/index.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=1000000
            low/index.m3u8
            """,
            "low/index.m3u8": media(""),
        ])
        #expect(rig.session.isFinished)
        #expect(rig.trail.played(at: rig.loop.now) == .seconds(18))
        let chosen = rig.kinds.compactMap { kind in
            if case .playlistVariantChosen(_, let url, _) = kind { url } else { nil }
        }
        #expect(chosen == ["http://origin/gone/index.m3u8", "http://origin/low/index.m3u8"])
        #expect(rig.fetcher.asked.last?.url == "http://origin/low/2.ts")
    }

    @Test func `the item fails with the last error when every variant is refused`() throws {
        let rig = try play(["index.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2000000\ngone.m3u8\n"])
        #expect(rig.session.isFailed)
    }

    @Test func `separate audio loads beside the video, and both are needed`() throws {
        let rig = try play([
            "index.m3u8": """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",DEFAULT=YES,URI="audio.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=2000000,AUDIO="a"
            video.m3u8
            """,
            "video.m3u8": media("video"),
            "audio.m3u8": media("audio").replacing("#EXT-X-ENDLIST", with: "#EXTINF:2,\naudio3.ts\n#EXT-X-ENDLIST"),
        ])
        #expect(rig.session.isFinished)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(20))
        #expect(rig.kinds.contains(.itemReadyToPlay(item: "item-1", duration: 20)))
        #expect(rig.kinds.contains(.itemTracksKnown(item: "item-1", hasVideo: true, hasAudio: true)))
        #expect(Set(rig.fetcher.asked.map(\.url)).count == 10)
    }

    @Test func `byte ranges are requested`() throws {
        let rig = try play([
            "index.m3u8": """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-VERSION:4
            #EXTINF:6,
            #EXT-X-BYTERANGE:18800@0
            all.ts
            #EXTINF:6,
            #EXT-X-BYTERANGE:18800
            all.ts
            #EXT-X-ENDLIST
            """
        ])
        #expect(rig.session.isFinished)
        let ranges = rig.fetcher.asked.compactMap(\.range)
        #expect(ranges == [FetchRange(offset: 0, length: 18800), FetchRange(offset: 18800, length: 18800)])
    }

    @Test func `an initialization section loads when it changes, also at a discontinuity`() throws {
        let rig = try play([
            "index.m3u8": """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-VERSION:6
            #EXT-X-MAP:URI="a.ts",BYTERANGE="1880@0"
            #EXTINF:6,
            0.ts
            #EXTINF:6,
            1.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="b.ts"
            #EXTINF:6,
            2.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="a.ts",BYTERANGE="1880@0"
            #EXTINF:6,
            3.ts
            #EXT-X-ENDLIST
            """
        ])
        #expect(rig.session.isFinished)
        #expect(rig.trail.stretches.count == 1)
        let paths = rig.fetcher.asked.dropFirst().map { $0.url.replacing("http://origin/", with: "") }
        #expect(paths == ["a.ts", "0.ts", "1.ts", "b.ts", "2.ts", "a.ts", "3.ts"])
        let object = try #require(rig.fetcher.asked.first { $0.url.hasSuffix("b.ts") }).headers.first?.value
        #expect(object == "ot=i")
    }

    @Test func `a server without ranges is tolerated, and a short response is not`() {
        let range = FetchRange(offset: 2, length: 3)
        let request = FetchRequest(id: FetchID(1), url: "http://origin/all.ts", range: range)
        var transfer = Transfer(request, began: .zero)
        transfer.receive(FetchResponse(status: 200, headers: [], url: "", serverAddress: ""), at: .zero)
        transfer.receive(FetchBytes([0, 1, 2, 3, 4, 5]))
        #expect(transfer.result() == .success(FetchBytes([2, 3, 4])))
        transfer.receive(FetchResponse(status: 206, headers: [], url: "", serverAddress: ""), at: .zero)
        #expect(throws: LoadFailure.self) { try transfer.result().get() }
    }

    @Test(arguments: [("EXT-X-START:TIME-OFFSET=8,PRECISE=YES", 8), ("EXT-X-START:TIME-OFFSET=8", 6), ("X", 0)])
    func `the start position of the playlist applies`(tag: String, start: Int) throws {
        let playlist = media("s").replacing("#EXT-X-TARGETDURATION", with: "#\(tag)\n#EXT-X-TARGETDURATION")
        let rig = try play(["index.m3u8": playlist]) { _ in
            TransportStream.segment(hasVideo: true, hasAudio: true, size: 2_000)
        }
        #expect(rig.trail.stretches.first?.start == .seconds(start))
        #expect(rig.session.isFinished)
    }

    @Test func `segments load in order from the start position`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full, startingAt: .seconds(27))
        for _ in 0..<3 { bench.answer(from: title) }
        #expect(bench.requests.map(\.url) == ["http://origin/title/full/6.ts"])
        #expect(bench.player.position(at: bench.now) == .seconds(27))
        #expect(bench.current?.bufferedEnd == .seconds(36))
    }

    @Test func `requests carry client data`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full)
        let session = "cid=\"\(CommonMediaData.contentID(of: title.address.full))\",sf=h,sid=\"segue\""
        #expect(bench.requests[0].headers.map(\.name) == ["CMCD-Object", "CMCD-Request", "CMCD-Session"])
        #expect(bench.requests[0].headers.map(\.value) == ["ot=m", "su", session])
        bench.answer(from: title)
        bench.answer(from: title)
        let object = bench.requests[0].headers[0].value
        #expect(object == "br=480,d=6000,ot=av")
        #expect(bench.requests[0].headers[1].value == "bl=6000,dl=6000,mtp=28800,nor=\"2.ts\"")
        #expect(bench.requests[0].headers[2].value == session + ",st=v")
        #expect(bench.requests[0].headers[3].value == "rtp=1900")
    }

    @Test func `each resource is delivered once with its bytes`() throws {
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [title])
        var delivered: [DeliveredResource] = []
        rig.runner.delivered = { resource, _ in delivered.append(resource) }
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(delivered.count == 11)
        #expect(delivered.first?.kind == .playlist)
        #expect(
            delivered.last?.kind
                == .segment(number: 9, start: .seconds(54), duration: .seconds(6), map: nil, startsDiscontinuity: false)
        )
        #expect(delivered.allSatisfy { !$0.bytes.isEmpty })
    }
}
