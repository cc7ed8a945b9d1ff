import SegueBase
import SegueContainers
import SegueFetch
import SeguePlaylists
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// Unusual announcements in multivariant playlists.
@Suite struct `Ladders of variants` {
    private let line = Line(delay: .milliseconds(10), bitsPerSecond: 10_000_000)

    @Test func `extreme bit rates are tolerated`() throws {
        var variants = Variants()
        variants.rungs = [.init(name: "great", bandwidth: 1 << 53), .init(name: "small", bandwidth: 1)]
        let rig = variants.rig(try Shipped.platform("desktop", ["first-variant": "highest"]), line: line) { request in
            request.url.hasSuffix(".ts") ? Variants().answer("low/0.ts") : nil
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["great", "small"])
        var speed = LoadSpeed()
        speed.add(media: .seconds(6), took: .seconds(1), bytes: 16 << 10)
        speed.scale(fromBitrate: 2_000_000_000, to: 1)
        #expect(speed.mediaPerSecond == 12_000_000_000)
    }

    @Test(arguments: ["avc1.4d401f,mp4a.40.2,wvtt", "avc1.4d401f,mp4a.40.2,stpp.ttml.im1t"])
    func `subtitles among the codecs do not exclude a variant`(codecs: String) throws {
        for platform in try Shipped.names(in: "platforms") {
            let settings = try Shipped.platform(platform).loading
            var variant = Variant(uri: "a", bandwidth: 1)
            variant.codecs = codecs.split(separator: ",").map(String.init)
            #expect(VariantLadder([variant], settings).variants.count == 1, "\(platform)")
        }
    }

    /// A search for each variant's group among all renditions would exceed the time limit.
    @Test func `audio groups as numerous as variants are resolved once`() throws {
        let count = 6000
        let media = (0..<count).map {
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\($0)\",NAME=\"s\",URI=\"sound/\($0).m3u8\"\n"
        }
        var variants = Variants()
        variants.media = media.joined()
        variants.rungs = (0..<count).map {
            .init(name: "v\($0)", bandwidth: 500_000 + $0, audio: ",AUDIO=\"g\($0)\"")
        }
        let rig = variants.rig(try Shipped.platform("desktop"), line: .wifi) { request in
            guard request.url.contains("/sound/") else { return nil }
            if request.url.hasSuffix("m3u8") { return (200, Array(Variants.playlist(10, 6).utf8)) }
            return (200, TransportStream.segment(hasVideo: false, hasAudio: true, size: 96_000))
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.item?.client.variantChanges ?? 0 > 0)
    }

    @Test func `the timelines of the latest variants are cached`() throws {
        guard case .media(let playlist) = try Playlist.parse(Variants.playlist(3, 6)) else { return }
        let timeline = try SegmentTimeline(playlist, from: "http://a/i.m3u8", encryption: .served)
        var known = KnownTimelines()
        for number in 0...KnownTimelines.most { known.add(timeline, of: "\(number)", from: "\(number)") }
        #expect(known["0"] == nil)
        #expect(known["1"]?.url == "1" && known["\(KnownTimelines.most)"] != nil)
    }

    private func ladder(_ scores: [Int?], on platform: String) throws -> VariantLadder {
        let variants = scores.enumerated().map { place, score in
            var variant = Variant(uri: "v", bandwidth: 1_000_000 * (place + 1))
            variant.score = score.map { Rational(Int64($0)) }
            return variant
        }
        return VariantLadder(variants, try Shipped.platform(platform).loading)
    }

    @Test(arguments: [
        ("ios-15", [1, 3, 2] as [Int?], 1), ("ios-15", [1, nil, 2], 2), ("desktop", [1, 3, 2], 2),
        ("android-media3", [1, 3, 2], 2), ("ios-15", [2, 2, 2], 2),
    ])
    func `the best variant is the author's preference, if the platform uses it and every variant has one`(
        platform: String,
        scores: [Int?],
        best: Int
    ) throws {
        let ladder = try ladder(scores, on: platform)
        let criteria = VariantLadder.Criteria(estimate: 100_000_000, ahead: .seconds(30), peak: 0) { _ in true }
        #expect(ladder.next(after: 0, criteria, at: .zero) == best)
        let near = VariantLadder.Criteria(estimate: 100_000_000, ahead: .seconds(1), peak: 0) { _ in true }
        #expect(ladder.next(after: 0, near, at: .zero) == 0, "not before enough is ahead")
    }

    @Test func `a bandwidth below the preferred variant leads down nevertheless`() throws {
        let ladder = try ladder([1, 2, 3], on: "ios-15")
        let criteria = VariantLadder.Criteria(estimate: 1_500_000, ahead: .zero, peak: 0) { _ in true }
        #expect(ladder.next(after: 2, criteria, at: .zero) == 0)
    }

    @Test func `variants with an unknown video range are excluded`() throws {
        let ranges = ["SDR", "HLG", "PQ", nil, "BRIGHTEST"]
        let variants = ranges.map { range in
            var variant = Variant(uri: "v", bandwidth: 1)
            variant.videoRange = range
            return variant
        }
        let settings = try Shipped.platform("desktop").loading
        #expect(VariantLadder(variants, settings).variants.map(\.videoRange) == ["SDR", "HLG", "PQ", nil])
    }
}
