import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Interstitials` {
    private typealias Made = InterruptedTitle

    private func ios() throws -> PlatformProfile { try Shipped.platform("ios-15", ["notice-order": "as-happened"]) }

    private func run(_ ranges: [String], files: [String: String] = [:]) throws -> Rig {
        let rig = Made(ranges: ranges, files: files).rig(try ios())
        rig.runner.run(until: Instant(seconds: 400))
        #expect(rig.session.isFinished)
        return rig
    }

    // MARK: When, and where the item goes on

    @Test(arguments: [
        // Continues at the resume offset, or else after as much as was played (RFC 8216bis, D.2).
        ("X-RESUME-OFFSET=0", ["item-1 0-20", "item-2 0-10", "item-1 20-60"]),
        ("X-RESUME-OFFSET=15.5", ["item-1 0-20", "item-2 0-10", "item-1 35.5-60"]),
        ("DURATION=10", ["item-1 0-20", "item-2 0-10", "item-1 30-60"]),
        ("PLANNED-DURATION=3", ["item-1 0-20", "item-2 0-10", "item-1 30-60"]),
        ("X-PLAYOUT-LIMIT=4", ["item-1 0-20", "item-2 0-4", "item-1 24-60"]),
        ("X-PLAYOUT-LIMIT=4,X-RESUME-OFFSET=0", ["item-1 0-20", "item-2 0-4", "item-1 20-60"]),
        ("X-PLAYOUT-LIMIT=40,X-RESUME-OFFSET=0", ["item-1 0-20", "item-2 0-10", "item-1 20-60"]),
        ("X-RESUME-OFFSET=500", ["item-1 0-20", "item-2 0-10"]),
        ("X-RESUME-OFFSET=-5", ["item-1 0-20", "item-2 0-10", "item-1 20-60"]),
        // The nearest boundaries of segments of six seconds.
        ("X-RESUME-OFFSET=0,X-SNAP=\"OUT\"", ["item-1 0-18", "item-2 0-10", "item-1 18-60"]),
        ("X-RESUME-OFFSET=8,X-SNAP=\"IN\"", ["item-1 0-20", "item-2 0-10", "item-1 30-60"]),
        ("X-RESUME-OFFSET=8,X-SNAP=\"OUT,IN\"", ["item-1 0-18", "item-2 0-10", "item-1 24-60"]),
        // Before and after the item, whatever the date.
        ("X-RESUME-OFFSET=0,CUE=\"PRE\"", ["item-2 0-10", "item-1 0-60"]),
        ("X-RESUME-OFFSET=0,CUE=\"POST,ONCE\"", ["item-1 0-60", "item-2 0-10"]),
    ])
    fileprivate func `an item stops at the date, and continues at the resume offset`(
        attributes: String,
        expected: [String]
    ) throws {
        let rig = try run([Made.range("ad", at: 20, "\(Made.asset),\(attributes)")])
        #expect(rig.played == expected)
        #expect(rig.kinds.count { if case .itemPlayedToEnd = $0 { true } else { false } } == 1)
        #expect(rig.trail.stretches.allSatisfy { $0.reason != "stall" })
        let asked = rig.paths.filter { $0.hasPrefix("ad/full.m3u8") }
        #expect(asked == ["ad/full.m3u8?_HLS_primary_id=segue-1"])
    }

    @Test func `the asset loads ahead, so that there is no silence`() throws {
        let rig = try run([Made.range("ad", at: 20, "\(Made.asset),X-RESUME-OFFSET=25")])
        #expect(rig.longestBreak == .zero)
        let place = try #require(rig.paths.firstIndex { $0.hasPrefix("ad/") })
        #expect(rig.paths[..<place].contains("main/3.ts"), "the item is loaded up to it first")
    }

    @Test func `platforms without support play only the item, and so does an item without dates`() throws {
        let range = Made.range("ad", at: 20, Made.asset)
        for platform in ["desktop", "android-media3", "ios-14.0"] {
            let rig = Made(ranges: [range]).rig(try Shipped.platform(platform))
            rig.runner.run(until: Instant(seconds: 200))
            #expect(rig.played == ["item-1 0-60"], "\(platform)")
        }
        let undated = Made(ranges: [range])
        let rig = undated.rig(try ios()) { request in
            guard request.url.hasSuffix("main.m3u8") else { return nil }
            let text = undated.playlist.split(separator: "\n").filter { !$0.contains("PROGRAM-DATE") }
            return (200, Array(text.joined(separator: "\n").utf8))
        }
        rig.runner.run(until: Instant(seconds: 200))
        #expect(rig.played == ["item-1 0-60"])
    }

    @Test func `interstitials with the same date play in the order of the playlist, and their offsets add up`() throws {
        let clip = "X-ASSET-URI=\"clip/full.m3u8\""
        let rig = try run([
            Made.range("b", at: 40, "\(Made.asset),X-RESUME-OFFSET=0"), Made.range("x", at: 12, clip),
            Made.range("y", at: 12, "\(Made.asset)"), Made.range("z", at: 12, "\(clip),X-RESUME-OFFSET=0"),
        ])
        #expect(
            rig.breaks == [
                "x began 12", "x played 8 at 20", "y began 20", "y played 10 at 30", "z began 30", "z played 8 at 30",
                "b began 40", "b played 10 at 40",
            ]
        )
    }

    @Test func `interstitials in skipped content do not play, unless they replace the content that follows`() throws {
        let rig = try run([
            Made.range("a", at: 10, "\(Made.asset),X-RESUME-OFFSET=20"),
            Made.range("inside", at: 15, "\(Made.asset),X-RESUME-OFFSET=0"),
            Made.range("over", at: 25, "\(Made.asset),X-RESUME-OFFSET=9"),
        ])
        #expect(rig.played == ["item-1 0-10", "item-2 0-10", "item-3 0-10", "item-1 34-60"])
        #expect(rig.breaks.last == "over played 10 at 34")
    }

    @Test func `interstitials in assets are ignored`() throws {
        let inner = InterruptedTitle(ranges: [Made.range("in", at: 5, Made.asset)]).playlist
        let asset = Made.range("ad", at: 20, "X-ASSET-URI=\"other.m3u8\",X-PLAYOUT-LIMIT=9,X-RESUME-OFFSET=0")
        let rig = try run([asset], files: ["other.m3u8": inner])
        #expect(rig.played == ["item-1 0-20", "item-2 0-9", "item-1 20-60"])
    }

    // MARK: Lists of assets

    private func list(_ text: String, _ more: String = "", then expected: [String]) throws -> Rig {
        let range = Made.range("ad", at: 20, "X-ASSET-LIST=\"list.json?a=1\"\(more)")
        let rig = try run([range], files: ["list.json": text])
        #expect(rig.played == expected)
        return rig
    }

    @Test func `the assets of a list play in order, and the limit applies to all of them`() throws {
        let text =
            "{\"ASSETS\":[{\"URI\":\"http://origin/ad/full.m3u8\",\"DURATION\":10},"
            + "{\"URI\":\"http://origin/clip/full.m3u8\",\"DURATION\":8.0}]}"
        let all = try list(text, then: ["item-1 0-20", "item-2 0-10", "item-3 0-8", "item-1 38-60"])
        #expect(all.longestBreak == .zero)
        #expect(all.paths.contains("list.json?_HLS_primary_id=segue-1&a=1"))
        #expect(all.paths.contains("clip/full.m3u8?_HLS_primary_id=segue-1"))
        let names = all.kinds.compactMap { kind -> String? in
            guard case .interstitialAssetBegan(_, "ad", let asset, let url) = kind else { return nil }
            return "\(asset) \(url.replacing("http://origin/", with: "").prefix { $0 != "?" })"
        }
        #expect(names == ["item-2 ad/full.m3u8", "item-3 clip/full.m3u8"])
        let cut = try list(
            text,
            ",X-PLAYOUT-LIMIT=12,X-RESUME-OFFSET=1",
            then: ["item-1 0-20", "item-2 0-10", "item-3 0-2", "item-1 21-60"]
        )
        #expect(cut.breaks == ["ad began 20", "ad limit 12 at 21"])
    }

    @Test func `a list without assets takes no time, and the item continues at the resume offset`() throws {
        let plain = try list("{\"ASSETS\":[]}", then: ["item-1 0-20", "item-1 20-60"])
        #expect(plain.breaks == ["ad began 20", "ad empty 0 at 20"])
        let offset = try list("{\"ASSETS\":[]}", ",X-RESUME-OFFSET=7", then: ["item-1 0-20", "item-1 27-60"])
        #expect(offset.longestBreak < .seconds(1))
    }

    @Test(arguments: ["", "{", "[]", "{\"ASSETS\":1}", "{\"assets\":[]}", "\u{0}"])
    func `an invalid list is logged and skipped`(text: String) throws {
        let rig = try list(text, ",X-RESUME-OFFSET=7", then: ["item-1 0-20", "item-1 20-60"])
        #expect(rig.breaks == ["ad failed", "ad began 20", "ad failed 0 at 20"])
    }

    @Test func `an asset of a list that fails is logged and skipped, whenever it fails`() throws {
        let text =
            "{\"ASSETS\":[{\"URI\":\"http://origin/none.m3u8\"},{\"DURATION\":3},"
            + "{\"URI\":\"http://origin/clip/full.m3u8\"},{\"URI\":\"http://origin/bad.m3u8\"}]}"
        let range = Made.range("ad", at: 20, "X-ASSET-LIST=\"list.json\"")
        let rig = try run([range], files: ["list.json": text, "bad.m3u8": "no playlist"])
        #expect(rig.played == ["item-1 0-20", "item-3 0-8", "item-1 28-60"])
        #expect(rig.breaks.filter { $0 == "ad failed" }.count == 2)
        #expect(rig.kinds.allSatisfy { if case .itemFailed = $0 { false } else { true } })
        #expect(rig.breaks.last == "ad played 8 at 28")
    }

    @Test func `an oversized list is invalid`() throws {
        let range = Made.range("ad", at: 20, "X-ASSET-LIST=\"list.json\"")
        let rig = try run([range], files: ["list.json": String(repeating: " ", count: 2 << 20)])
        #expect(rig.played == ["item-1 0-20", "item-1 20-60"])
        #expect(rig.breaks.contains("ad failed"))
    }

    // MARK: What goes wrong

    @Test(arguments: ["X-RESUME-OFFSET=9", "DURATION=10"])
    func `an asset that cannot be loaded takes no time`(attributes: String) throws {
        let rig = try run([Made.range("ad", at: 20, "X-ASSET-URI=\"none.m3u8\",\(attributes)")])
        #expect(rig.played == ["item-1 0-20", "item-1 20-60"])
        #expect(rig.breaks.last == "ad failed 0 at 20")
        #expect(rig.longestBreak < .seconds(1))
        let warned = rig.kinds.compactMap {
            if case .interstitialFailed(_, _, let url, let why) = $0 { (url, why) } else { nil }
        }
        #expect(warned.count == 1 && warned[0].0.contains("none.m3u8") && warned[0].1.contains("404"), "\(warned)")
    }

    @Test func `an asset that fails in the middle ends there`() throws {
        let range = Made.range("ad", at: 20, Made.asset)
        let rig = Made(ranges: [range]).rig(try Shipped.platform("ios-15", ["retries": "0"])) { request in
            request.url.hasSuffix("ad/full/1.ts") ? (403, []) : nil
        }
        rig.runner.run(until: Instant(seconds: 200))
        #expect(rig.played == ["item-1 0-20", "item-2 0-6", "item-1 26-60"])
        #expect(rig.breaks.contains("ad failed"))
    }

    @Test func `a server that does not respond times out after a minute`() throws {
        let range = Made.range("ad", at: 20, "\(Made.asset),X-RESUME-OFFSET=0")
        let rig = Made(ranges: [range]).rig(try ios())
        rig.fetcher.isSilent = { $0.url.contains("/ad/") }
        rig.runner.run(until: Instant(seconds: 300))
        #expect(rig.played == ["item-1 0-20", "item-1 20-60"])
        #expect(rig.longestBreak > .seconds(59) && rig.longestBreak < .seconds(61))
    }

    @Test(arguments: [
        "X-RESUME-OFFSET=3", "X-ASSET-URI=\"a\",X-ASSET-LIST=\"b\"", "X-ASSET-URI=0x12", "X-ASSET-URI=\"\"",
    ])
    func `an interstitial with no asset, or with too many, is logged and skipped`(attributes: String) throws {
        let rig = try run([Made.range("ad", at: 20, attributes)])
        #expect(rig.played == ["item-1 0-20", "item-1 20-60"])
        #expect(rig.breaks == ["ad began 20", "ad failed", "ad failed 0 at 20"])
    }

    @Test func `excessive dates and numbers are skipped`() throws {
        let zeros = String(repeating: "0", count: 300)
        let rig = try run([
            "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"9999-12-31T23:59:59Z\",\(Made.asset)",
            Made.range("b", at: 20, "\(Made.asset),X-RESUME-OFFSET=1\(zeros)"),
            Made.range("c", at: 59, "\(Made.asset),X-RESUME-OFFSET=99999999999,X-PLAYOUT-LIMIT=-1"),
            Made.range("d", at: 600, "\(Made.asset),X-RESUME-OFFSET=0"),
        ])
        #expect(rig.played == ["item-1 0-20", "item-2 0-10", "item-1 30-59", "item-3 0-10"])
    }
}
