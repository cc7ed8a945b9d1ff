import SegueBase
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// The formatting rules of CTA-5004.
@Suite struct `Common media client data` {
    private var data: CommonMediaData {
        var data = CommonMediaData()
        data.objectType = .video
        data.bitrate = 3_200_400
        data.duration = .milliseconds(4004)
        data.topBitrate = 6_000_000
        data.bufferLength = .milliseconds(21_349)
        data.deadline = .milliseconds(18_551)
        data.throughput = 25_449_000
        data.nextObject = "../300kbps/segment 35.m4v"
        data.nextRange = FetchRange(offset: 12323, length: 36441)
        data.isStartup = true
        data.isStarved = true
        data.requestedThroughput = 12_801_600
        data.contentID = "faec5fc2-ac30-11ea"
        data.rate = 1.5
        data.session = "6e2fb550"
        data.streamType = .onDemand
        return data
    }

    @Test func `each key is in its header, in alphabetical order`() {
        #expect(data.headers.map(\.name) == ["CMCD-Object", "CMCD-Request", "CMCD-Session", "CMCD-Status"])
        #expect(
            data.headers.map(\.value) == [
                "br=3200,d=4004,ot=v,tb=6000",
                "bl=21300,dl=18600,mtp=25400,nor=\"..%2F300kbps%2Fsegment%2035.m4v\",nrr=\"12323-48763\",su",
                "cid=\"faec5fc2-ac30-11ea\",pr=1.5,sf=h,sid=\"6e2fb550\",st=v", "bs,rtp=12800",
            ]
        )
    }

    @Test func `defaults and keys that do not apply are omitted`() {
        var data = CommonMediaData()
        data.session = "s"
        data.objectType = .manifest
        #expect(data.headers.map(\.value) == ["ot=m", "sf=h,sid=\"s\""])
    }

    @Test func `in a query, all keys are one list, percent-encoded`() throws {
        var data = CommonMediaData()
        data.session = "s"
        data.bufferLength = .seconds(2)
        data.isStarved = true
        #expect(data.query == "bl%3D2000%2Cbs%2Cot%3Do%2Csf%3Dh%2Csid%3D%22s%22")
        let title = Title(name: "title", duration: 12)
        var bench = Bench(try Shipped.platform("desktop", ["client-data": "query"]))
        bench.insert(title.address.full + "?a=b")
        #expect(bench.requests[0].headers.isEmpty)
        #expect(bench.requests[0].url.hasPrefix(title.address.full + "?a=b&CMCD=cid%3D"))
        var silent = Bench(try Shipped.platform("desktop", ["client-data": "none"]))
        silent.insert(title.address.full)
        #expect(silent.requests[0].headers.isEmpty)
        #expect(silent.requests[0].url == title.address.full)
    }

    @Test(
        arguments: [
            ("http://a/x/2.ts", "http://a/x/1.ts", "2.ts"), ("http://a/y/2.ts", "http://a/x/1.ts", "../y/2.ts"),
            ("http://a/x/y/2.ts", "http://a/x/1.ts", "y/2.ts"), ("http://b/x/2.ts", "http://a/x/1.ts", nil),
            ("http://a/x/1.ts", "http://a/x/1.ts", nil), ("http://a/x/2.ts?t=/1", "http://a/x/1.ts?t=/1", "2.ts?t=/1"),
        ] as [(String, String, String?)]
    )
    func `the next object is relative to this one`(next: String, this: String, relative: String?) {
        #expect(CommonMediaData.relative(next, to: this) == relative)
    }

    @Test func `a stall appears in the next request only`() throws {
        let title = Title(name: "title", duration: 60)
        var late = 0
        let rig = Rig(
            platform: try Shipped.platform("desktop", ["retry-delay": "10 s", "retry-delay-limit": "10 s"]),
            titles: [title]
        ) {
            guard $0.url.hasSuffix("full/2.ts"), late < 2 else { return nil }
            late += 1
            return (500, [])
        }
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 1)
        let starved = rig.fetcher.asked.filter { request in
            request.headers.contains { $0.name == "CMCD-Status" && $0.value.hasPrefix("bs") }
        }
        #expect(starved.map(\.url) == ["http://origin/title/full/2.ts"])
    }
}
