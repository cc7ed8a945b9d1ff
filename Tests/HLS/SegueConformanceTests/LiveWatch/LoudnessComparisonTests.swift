import SegueBase
import SegueConformance
import Testing

@Suite struct LoudnessComparisonTests {
    private static func stage(_ loudness: @escaping @Sendable (String, Double) -> Double) -> Stage {
        var stage = Stage.sampled(.pair)
        (stage.decoded, stage.loudness) = (DecodedFacts(), loudness)
        return stage
    }

    private static func findings(_ stage: Stage) -> [LiveFinding] {
        stage.watch(for: 400).findings.filter { $0.broken.rule.id == "live-loudness" }
    }

    @Test func `a rendition that becomes quieter than the other is found once`() throws {
        // The content itself changes by 10 dB from sample to sample.
        let stage = Self.stage { url, at in
            let content = Int(at / 16) % 2 == 0 ? -16.0 : -26
            return url.hasSuffix("b.m3u8") && at > 100 ? content - 8 : content
        }
        let found = Self.findings(stage)
        #expect(found.count == 1)
        let finding = try #require(found.first)
        #expect(finding.broken.place.url.hasSuffix("b.m3u8") && finding.at.seconds > 100 && finding.at.seconds < 180)
        #expect(finding.broken.message.text.contains("the loudness differs from that of http://h/live/a.m3u8 by -8"))
        #expect(stage.watch(for: 400).watch.broken.contains { $0.rule == "live-loudness" })
    }

    @Test func `differences of up to 6 dB, of one sample, and of noise are none`() {
        #expect(Self.findings(Self.stage { url, _ in url.hasSuffix("b.m3u8") ? -22 : -16 }) == [])
        let once = Self.stage { url, at in url.hasSuffix("b.m3u8") && at < 120 && at > 100 ? -30 : -16 }
        #expect(Self.findings(once) == [])
        #expect(Self.findings(Self.stage { url, _ in url.hasSuffix("b.m3u8") ? -60 : -48 }) == [])
    }
}
