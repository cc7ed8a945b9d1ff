import SegueBase
import SegueConformance
import SeguePlaylists

/// Violations of the rules on decoded media, and near misses.
extension Break {
    /// A good multivariant playlist whose variants have these loudness values, in the order of the playlist.
    private static func loud(_ rule: String, _ levels: [Double?], measured: Double = 17, channels: [Int] = []) -> Break
    {
        presentation(rule) { subject in
            for (number, level) in levels.enumerated() {
                var facts = DecodedFacts()
                (facts.loudness, facts.measured, facts.channels) = (level, measured, 2)
                if channels.indices.contains(number) { facts.channels = channels[number] }
                subject.media[number].subject.decoded = facts
            }
        }
    }

    static let decoded: [Break] = [
        fragments("segment-decodes") { subject in
            var facts = DecodedFacts()
            facts.failures = [DecodedFacts.Failure(segment: 1, words: "the video gives no frame: invalid data")]
            subject.decoded = facts
        },
        fragments("segment-damaged") { subject in
            var facts = DecodedFacts()
            facts.failures = [DecodedFacts.Failure(segment: 1, words: "7 of 9 frames are damaged", isGross: true)]
            subject.decoded = facts
        },
        loud("loudness-equal", [-16, -16, -19]),
        loud("loudness-equal", [-16, -23]),
        loud("loudness-equal", [-16, nil]),
        loud("loudness-equal", [-16, -16, -21], channels: [6, 6, 2]),
        Break(rule: "sbr-explicit") {
            var subject = Good.multivariant
            for number in 0..<3 {
                subject.media[2].subject.document = Good.document(Good.fragmentText, name: "sound.m3u8")
                subject.media[2].subject.segments[number].layout = .fragmentedMP4
                subject.media[2].subject.segments[number].transport = nil
                var setup = CodingSetup()
                (setup.codec, setup.sampleRate) = ("mp4a.40.2", 24000)
                subject.media[2].subject.segments[number].tracks[0].setup = setup
            }
            var facts = DecodedFacts()
            facts.sampleRate = 48000
            subject.media[2].subject.decoded = facts
            return Validator.findings(subject)
        },
    ]

    static let keptDecoded: [Break] = [
        loud("loudness-equal", [-16, -16, -17.5]),
        loud("loudness-equal", [-16, -19], channels: [6, 2]),
        loud("loudness-equal", [-16, -30], measured: 2),
        loud("loudness-equal", [nil, nil, nil]),
        presentation("loudness-equal") { subject in
            for (number, level) in [-16.0, -31].enumerated() {
                var facts = DecodedFacts()
                (facts.loudness, facts.measured, facts.channels) = (level, 17, 2)
                subject.media[number].subject.decoded = facts
            }
            // The stream declares its loudness.
            subject.media[1].subject.segments[0].tracks[1].hasLoudnessBox = true
        },
    ]
}
