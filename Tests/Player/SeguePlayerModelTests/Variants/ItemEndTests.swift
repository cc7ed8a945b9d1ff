import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// The end of an item whose audio groups are a frame longer or shorter than each other, as those of AC-3 and AAC are.
@Suite struct ItemEndTests {
    /// Plays two variants with an audio group each, of which the player begins with one and continues with the other.
    private func play(on platform: String, ends: [String: String]) throws -> Rig {
        var variants = Variants()
        variants.rungs = [("a", 500_000), ("b", 3_000_000)].map {
            Variants.Rung(name: $0, bandwidth: $1, audio: ",AUDIO=\"\($0)\"")
        }
        variants.media = ["a", "b"].map {
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\($0)\",NAME=\"s\",DEFAULT=YES,URI=\"sound-\($0)/index.m3u8\"\n"
        }.joined()
        let rig = variants.rig(try Shipped.platform(platform), line: .wifi) { request in
            guard let audio = request.url.split(separator: "/").first(where: { $0.hasPrefix("sound-") }) else {
                return nil
            }
            guard request.url.hasSuffix("m3u8") else {
                return (200, TransportStream.segment(hasVideo: false, hasAudio: true, size: 96_000))
            }
            let end = "#EXTINF:\(ends[String(audio)] ?? "6"),\n10.ts\n#EXT-X-ENDLIST"
            return (200, Array(Variants.playlist(10, 6).replacing("#EXT-X-ENDLIST", with: end).utf8))
        }
        rig.runner.run()
        return rig
    }

    @Test(arguments: ["desktop", "ios-15", "ios-26.2", "android-media3", "chromium", "hls.js", "shaka-player", "vlc"])
    func `an item ends with the last track of the streams that play at its end`(platform: String) throws {
        for ends in [["sound-a": "0.032", "sound-b": "0.011"], ["sound-a": "0.011", "sound-b": "0.032"]] {
            let rig = try play(on: platform, ends: ends)
            #expect(rig.session.isFinished, "\(platform): \(rig.session.stateDescription(at: rig.loop.now))")
            #expect(!rig.kinds.contains { if case .itemStalled = $0 { true } else { false } }, "\(platform)")
            let last = try #require(rig.chosen.last)
            let seconds = 60 + (Double(ends["sound-\(last)"] ?? "") ?? 0)
            #expect(abs((rig.item?.duration?.seconds ?? 0) - seconds) < 0.000_001, "\(platform), \(rig.chosen)")
        }
    }
}
