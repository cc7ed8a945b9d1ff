import SegueBase
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `Segments without audio or video, or with other timestamps` {
    /// Thirty seconds in five segments of 6 s of H.264 and AAC, some of which lack one of them.
    ///
    /// - Parameters:
    ///   - missing: The tracks that segments lack, by the segment.
    ///   - moved: The segments whose timestamps are those of others.
    ///   - discontinuity: A segment that begins with a discontinuity.
    ///   - announced: The duration of a segment in the playlist, in seconds.
    private func rig(
        _ missing: [Int: Int] = [:],
        moved: [Int: Int] = [:],
        discontinuity: Int? = nil,
        announced: Int = 6,
        _ platform: PlatformProfile
    ) -> Rig {
        let list = (0..<5).map { (number: Int) in
            (number == discontinuity ? "#EXT-X-DISCONTINUITY\n" : "") + "#EXTINF:\(announced),\n\(number).m4s\n"
        }.joined()
        let playlist =
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"init.mp4\"\n\(list)#EXT-X-ENDLIST\n"
        let rig = Rig(
            platform: platform,
            titles: [],
            instead: { request in
                let name = String(request.url.split(separator: "/").last ?? "")
                if name == "index.m3u8" { return (200, Array(playlist.utf8)) }
                if name == "init.mp4" { return (200, Self.initialization) }
                guard let number = Int(name.prefix { $0 != "." }) else { return (404, []) }
                return (200, Self.segment(moved[number] ?? number, without: missing[number]))
            }
        )
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    private static let (video, audio) = (1, 2)

    private static var initialization: [UInt8] {
        let traks =
            SegmentBytes.track(video, handler: "vide", entry: SegmentBytes.avcEntry, scale: 1000)
            + SegmentBytes.track(audio, handler: "soun", entry: SegmentBytes.aacEntry, scale: 1000)
        let extends = SegmentBytes.box(
            "mvex",
            SegmentBytes.trex(video, duration: 40) + SegmentBytes.trex(audio, duration: 40)
        )
        let head = SegmentBytes.full("mvhd", SegmentBytes.big(0, 8), SegmentBytes.big(1000, 4), SegmentBytes.big(0, 80))
        return SegmentBytes.box("ftyp", Array("iso6".utf8), SegmentBytes.big(0, 4))
            + SegmentBytes.box("moov", head, traks, extends)
    }

    private static func segment(_ number: Int, without missing: Int?) -> [UInt8] {
        let fragments = [video, audio].filter { $0 != missing }.flatMap { track in
            SegmentBytes.box(
                "traf",
                SegmentBytes.full("tfhd", flags: 0x020000, SegmentBytes.big(track, 4)),
                SegmentBytes.full("tfdt", version: 1, SegmentBytes.big(number * 6000, 8)),
                SegmentBytes.full("trun", SegmentBytes.big(150, 4))
            )
        }
        let moof = SegmentBytes.box("moof", SegmentBytes.full("mfhd", SegmentBytes.big(1, 4)), fragments)
        return moof + SegmentBytes.box("mdat", Array(repeating: 0, count: 30_000))
    }

    private func sounds(_ rig: Rig) -> [String] {
        rig.kinds.compactMap { kind in
            switch kind {
            case .soundBegan(_, let position): "sound from \(position)"
            case .soundEnded(_, let position, let reason): "sound to \(position): \(reason)"
            case .pictureBegan(_, let position): "picture from \(position)"
            case .pictureEnded(_, let position, let reason): "picture to \(position): \(reason)"
            case .itemStalled(_, let position): "stall at \(position)"
            case .itemPlayedToEnd: "end"
            default: nil
            }
        }
    }

    @Test func `of a platform that continues are silent`() throws {
        let rig = rig([2: Self.audio, 3: Self.audio], try Shipped.platform("desktop"))
        rig.runner.run()
        #expect(
            sounds(rig) == [
                "sound from 0.0", "picture from 0.0", "sound to 12.0: gap", "sound from 24.0", "sound to 30.0: end",
                "picture to 30.0: end", "end",
            ]
        )
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(18))
    }

    @Test func `of a platform that continues show no video`() throws {
        let rig = rig([0: Self.video, 4: Self.video], try Shipped.platform("desktop"))
        rig.runner.run()
        #expect(
            sounds(rig) == [
                "sound from 0.0", "picture from 6.0", "picture to 24.0: gap", "sound to 30.0: end", "end",
            ]
        )
    }

    @Test func `of a platform that stalls end playback`() throws {
        let rig = rig([2: Self.audio], try Shipped.platform("desktop", ["missing-audio": "stalls"]))
        rig.runner.run()
        #expect(
            sounds(rig) == [
                "sound from 0.0", "picture from 0.0", "sound to 12.0: stall", "picture to 12.0: stall", "stall at 12.0",
            ]
        )
    }

    @Test func `of a platform that waits delay playback by their length`() throws {
        let rig = rig([2: Self.audio], try Shipped.platform("desktop", ["missing-audio": "waits"]))
        rig.runner.run()
        #expect(
            sounds(rig) == [
                "sound from 0.0", "picture from 0.0", "sound to 12.0: stall", "picture to 12.0: stall", "stall at 12.0",
                "picture from 12.0", "sound from 18.0", "sound to 30.0: end", "picture to 30.0: end", "end",
            ]
        )
        let stall = try #require(rig.first { if case .itemStalled = $0 { true } else { false } })
        let shown = rig.runner.log.events.filter { if case .pictureBegan = $0.kind { true } else { false } }
        #expect(shown.last.map { $0.at - stall } == .seconds(6))
    }

    @Test func `of a platform that fails end the item`() throws {
        let rig = rig([2: Self.audio], try Shipped.platform("desktop", ["missing-audio": "fails"]))
        rig.runner.run()
        let failures = rig.kinds.compactMap { if case .itemFailed(_, _, _, let message) = $0 { message } else { nil } }
        #expect(failures == ["the segment has no audio, although earlier ones have: http://origin/2.m4s"])
    }

    @Test func `at the start never stall`() throws {
        let rig = rig([0: Self.audio, 1: Self.audio], try Shipped.platform("desktop", ["missing-audio": "stalls"]))
        rig.runner.run()
        #expect(sounds(rig).first == "picture from 0.0")
        #expect(sounds(rig).contains("sound from 12.0"))
        #expect(sounds(rig).last == "end")
    }

    @Test func `do not stall behind a seek over them`() throws {
        let rig = rig([2: Self.audio], try Shipped.platform("desktop", ["missing-audio": "stalls"]))
        rig.plan(.seek(to: .seconds(20), toleranceBefore: .zero, toleranceAfter: .zero), at: 3)
        rig.runner.run()
        #expect(sounds(rig).last == "end")
        #expect(!sounds(rig).contains { $0.hasPrefix("stall") })
    }

    @Test func `of other timestamps than the playlist's are complete`() throws {
        let rig = rig([:], try Shipped.platform("desktop", ["missing-audio": "stalls", "missing-video": "stalls"]))
        rig.runner.run()
        #expect(
            sounds(rig) == [
                "sound from 0.0", "picture from 0.0", "sound to 30.0: end", "picture to 30.0: end", "end",
            ]
        )
    }

    @Test(arguments: [[2: 0], [2: 600], [1: 3, 3: 1]])
    func `with other timestamps stall or fail, as the platform does`(moved: [Int: Int]) throws {
        let first = try #require(moved.keys.min())
        let stalling = rig(moved: moved, try Shipped.platform("desktop", ["timestamp-jump": "stalls"]))
        stalling.runner.run()
        #expect(sounds(stalling).last == "stall at \(first * 6).0")
        let failing = rig(moved: moved, try Shipped.platform("desktop", ["timestamp-jump": "fails"]))
        failing.runner.run()
        let failures = failing.kinds.compactMap {
            if case .itemFailed(_, _, _, let message) = $0 { message } else { nil }
        }
        #expect(
            failures == [
                "the segment's timestamps do not follow those of the segment before it: http://origin/\(first).m4s"
            ]
        )
        let continuing = rig(moved: moved, try Shipped.platform("desktop"))
        continuing.runner.run()
        #expect(
            sounds(continuing) == [
                "sound from 0.0", "picture from 0.0", "sound to 30.0: end", "picture to 30.0: end", "end",
            ]
        )
    }

    @Test func `with other timestamps play behind a discontinuity`() throws {
        let platform = try Shipped.platform("desktop", ["timestamp-jump": "stalls"])
        let rig = rig(moved: [2: 600, 3: 601, 4: 602], discontinuity: 2, platform)
        rig.runner.run()
        #expect(sounds(rig).last == "end")
        #expect(!sounds(rig).contains { $0.hasPrefix("stall") })
    }

    @Test func `that are longer than the playlist states do not jump`() throws {
        let rig = rig(announced: 3, try Shipped.platform("desktop", ["timestamp-jump": "stalls"]))
        rig.runner.run()
        #expect(sounds(rig).last == "end")
        #expect(!sounds(rig).contains { $0.hasPrefix("stall") })
    }
}
