import Fetch
import HLS
import MadeStreams
import TestSupport
import Testing
import Timeline

@testable import Player

/// What multivariant playlists announce, however strange.
@Suite struct `Ladders of variants` {
    private let line = Line(delay: .milliseconds(10), bitsPerSecond: 10_000_000)

    @Test func `bit rates as far apart as can be written are borne`() throws {
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
    func `subtitles among the codecs keep no variant from being played`(codecs: String) throws {
        for platform in try Shipped.names(in: "platforms") {
            let settings = try Shipped.platform(platform).loading
            var variant = Variant(uri: "a", bandwidth: 1)
            variant.codecs = codecs.split(separator: ",").map(String.init)
            #expect(VariantLadder([variant], settings).variants.count == 1, "\(platform)")
        }
    }

    /// Looking for each variant's group among all renditions anew would take far longer than the limit.
    @Test(.timeLimit(.minutes(15))) func `as many groups of sound as variants are gone through once`() throws {
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

    @Test func `the timelines of the last variants are kept`() throws {
        guard case .media(let playlist) = try Playlist.parse(Variants.playlist(3, 6)) else { return }
        let timeline = try SegmentTimeline(playlist, from: "http://a/i.m3u8", encryption: .served)
        var known = KnownTimelines()
        for number in 0...KnownTimelines.most { known.add(timeline, of: "\(number)", from: "\(number)") }
        #expect(known["0"] == nil)
        #expect(known["1"]?.url == "1" && known["\(KnownTimelines.most)"] != nil)
    }
}
