import SegueBase
import Testing

@testable import SeguePlaylists

@Suite struct `Interstitials in playlists` {
    private func read(_ attributes: String, date: String = "2026-01-01T00:00:10Z") throws -> Interstitial? {
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"\(date)\"\(attributes)\n#EXTINF:6,\n0.ts\n#EXT-X-ENDLIST\n"
        let playlist = try MediaPlaylist.reading(text)
        return playlist.dateRanges.first.flatMap(Interstitial.init)
    }

    @Test func `every attribute has its meaning`() throws {
        let all =
            ",X-ASSET-LIST=\"l.json\",X-RESUME-OFFSET=-1.5,X-PLAYOUT-LIMIT=3,X-SNAP=\"OUT, IN\",X-RESTRICT=\"JUMP,SKIP\""
            + ",CUE=\"POST,ONCE\",DURATION=7.25"
        let read = try #require(try read(all))
        #expect(read.assets == .list("l.json") && read.cue == .after && read.isOnce)
        #expect(read.date == 1_767_225_610)
        #expect(read.resumeOffset == .milliseconds(-1500) && read.playoutLimit == .seconds(3))
        #expect(read.announcedDuration == .milliseconds(7250))
        #expect(read.snapsIn && read.snapsOut && read.restrictsJumping && read.restrictsSkipping)
        let least = try #require(try self.read(",X-ASSET-URI=\"a\""))
        #expect(least.assets == .one("a") && least.cue == .date && !least.isOnce)
        #expect(least.resumeOffset == nil && least.playoutLimit == nil && least.announcedDuration == nil)
        #expect(!least.snapsIn && !least.snapsOut && !least.restrictsJumping && !least.restrictsSkipping)
    }

    @Test(arguments: [
        ("", 0.0), (",DURATION=8", 8), (",PLANNED-DURATION=9", 9), (",END-DATE=\"2026-01-01T00:00:30Z\"", 20),
        (",END-DATE=\"2026-01-01T00:00:00Z\"", 0), (",DURATION=8,X-PLAYOUT-LIMIT=5", 5), (",X-PLAYOUT-LIMIT=5", 5),
        (",DURATION=8,X-RESUME-OFFSET=2", 2), (",X-PLAYOUT-LIMIT=0,DURATION=8", 8),
    ])
    func `the resume offset of an interstitial`(attributes: String, seconds: Double) throws {
        let read = try #require(try read(",X-ASSET-URI=\"a\"" + attributes))
        #expect(read.expectedOffset == .seconds(seconds))
    }

    @Test func `other classes and invalid dates are no interstitials`() {
        #expect(Interstitial(DateRange(id: "a", classID: "other", startDate: "2026-01-01T00:00:10Z")) == nil)
        #expect(Interstitial(DateRange(id: "a", startDate: "2026-01-01T00:00:10Z")) == nil)
        #expect(Interstitial(DateRange(id: "a", classID: Interstitial.classID, startDate: "2026-01-01")) == nil)
        #expect(Interstitial(DateRange(id: "a", classID: Interstitial.classID, startDate: nil)) == nil)
    }

    @Test func `asset lists are read defensively`() throws {
        let text =
            "{\"ASSETS\":[{\"URI\":\"a\",\"DURATION\":2.5},{\"URI\":\"b\",\"DURATION\":\"3\"},{\"URI\":\"\"},{},7,"
            + "{\"URI\":\"c\",\"DURATION\":-1},{\"URI\":\"d\",\"DURATION\":1e300}],\"X-OTHER\":1}"
        let list = try #require(AssetList(text))
        #expect(list.assets.map(\.uri) == ["a", "b", "c", "d"])
        #expect(list.assets.map(\.duration) == [.milliseconds(2500), .seconds(3), nil, nil])
        for cut in 0..<text.count { #expect(AssetList(String(text.prefix(cut))) == nil) }
        let many = "{\"ASSETS\":[" + Array(repeating: "{\"URI\":\"a\"}", count: 100_000).joined(separator: ",") + "]}"
        #expect(AssetList(many)?.assets.count == AssetList.mostAssets)
    }
}
