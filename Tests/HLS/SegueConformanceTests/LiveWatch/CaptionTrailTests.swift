import SegueBase
import SeguePlaylists
import Testing

@testable import SegueConformance

@Suite struct CaptionTrailTests {
    /// The messages for samples with captions, one every `interval` seconds.
    private static func messages(
        _ samples: [Set<String>],
        declared: DeclaredCaptions = .unknown,
        interval: Double = 24
    ) -> [String] {
        var trail = CaptionTrail(declared)
        return samples.enumerated().flatMap { number, found in
            trail.take(found, number: number, at: Instant(seconds: Double(number) * interval)).map {
                "\($0.segment ?? -1) \($0.rule.id): \($0.message)"
            }
        }
    }

    @Test func `captions that disappear for three minutes are found`() {
        let samples = Array(repeating: Set(["CC1"]), count: 3) + Array(repeating: [], count: 8)
        // The last sample with them is at 48 s; 240 s is the first one at least 180 s later.
        let found = Self.messages(samples)
        let words = "no captions of CC1 in the last 8 samples within 192 s, 3 earlier ones have them"
        #expect(found == ["10 live-captions: \(words)"])
    }

    /// A pause of less than three minutes, two samples, which are not enough to expect more, and none.
    @Test(arguments: [(3, 7, 1), (2, 20, 0), (0, 20, 0)])
    func `pauses, single captions, and none at all are no finding`(before: Int, pause: Int, after: Int) {
        let samples = [(before, true), (pause, false), (after, true)].flatMap { count, isThere in
            Array(repeating: isThere ? Set(["CC1"]) : [], count: count)
        }
        #expect(Self.messages(samples) == [])
    }

    @Test func `many samples in a short time are no long pause`() {
        let samples = Array(repeating: Set(["CC1"]), count: 3) + Array(repeating: [], count: 40)
        #expect(Self.messages(samples, interval: 4) == [])
    }

    @Test func `captions that are declared but absent, or denied but there, are found`() {
        let absent = Self.messages(Array(repeating: [], count: 9), declared: .channels(["SERVICE1"]))
        let words = "no captions of SERVICE1 in 9 samples within 192 s, which INSTREAM-ID declares"
        #expect(absent == ["8 live-captions: \(words)"])
        let denied = Self.messages([["CC1", "CC3"]], declared: .none)
        #expect(denied == ["0 captions-denied: the video has closed captions (CC1, CC3), CLOSED-CAPTIONS is NONE"])
        #expect(Self.messages(Array(repeating: ["SERVICE1"], count: 20), declared: .channels(["SERVICE1"])) == [])
    }

    @Test func `the declaration of a variant is read from its group`() {
        var playlist = MultivariantPlaylist(variants: [])
        var rendition = MediaRendition(kind: .closedCaptions, group: "cc", name: "en")
        rendition.instreamID = "CC1"
        playlist.renditions = [rendition]
        var variant = Variant(uri: "a.m3u8", bandwidth: 1)
        #expect(DeclaredCaptions(variant, in: playlist) == .unknown)
        variant.closedCaptionsGroup = "cc"
        #expect(DeclaredCaptions(variant, in: playlist) == .channels(["CC1"]))
        variant.closedCaptionsGroup = "NONE"
        #expect(DeclaredCaptions(variant, in: playlist) == DeclaredCaptions.none)
    }
}
