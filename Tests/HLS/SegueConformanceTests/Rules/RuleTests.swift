import Foundation
import SegueBase
import SeguePlaylists
import SegueTestSupport
import Testing

@testable import SegueConformance

@Suite struct `Rules` {
    @Test func `good playlists break no rule`() {
        #expect(Validator.findings(Good.transport) == [])
        #expect(Validator.findings(Good.fragments) == [])
        #expect(Validator.findings(Good.audio) == [])
        #expect(Validator.findings(Good.frames) == [])
        #expect(Validator.findings(Good.subtitles) == [])
        #expect(Validator.findings(Good.long(step: Rational(6))) == [])
        #expect(Validator.findings(Good.multivariant) == [])
    }

    @Test(arguments: [HTTPFacts.Role.playlist, .initialization, .segment])
    func `good responses break no rule`(role: HTTPFacts.Role) {
        var subject = Good.transport
        subject.resources = [Good.resource(role)]
        #expect(Validator.findings(subject) == [])
    }

    @Test(arguments: Break.all.indices)
    func `a violation of a rule breaks that rule only`(index: Int) {
        let broken = Break.all[index]
        let found = broken.findings()
        #expect(!found.isEmpty, "\(broken.rule)")
        #expect(Set(found.map(\.rule.id)).subtracting(broken.alongside.union([broken.rule])) == [], "\(broken.rule)")
    }

    @Test(arguments: Break.kept.indices)
    func `near misses break no rule`(index: Int) {
        let kept = Break.kept[index]
        #expect(kept.findings().filter { !kept.alongside.contains($0.rule.id) } == [], "\(kept.rule)")
    }

    @Test func `each rule has a test that breaks it`() {
        #expect(Set(Validator.rules.map(\.id)).subtracting(Break.all.map(\.rule)) == [])
    }

    /// Segments of half an hour over twenty hours, on a clock that wraps after 26.5 hours or not.
    private static func day(_ layout: SegmentInspection.Layout, begun: Int64, late: Rational = .zero) -> MediaSubject {
        let length = Rational(1800)
        let entries = (0..<40).map { "#EXTINF:1800.000000,\n\($0).ts\n" }.joined()
        let head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1800\n#EXT-X-PLAYLIST-TYPE:EVENT\n"
        let wrap = Rational(1 << 33, 90_000)
        let all = (0..<40).map { number in
            var segment = Good.segments(layout, [.audio])[0]
            segment.number = number
            var start = Rational(begun) + length * Rational(Int64(number)) + (number == 39 ? late : .zero)
            if layout == .transportStream, start > wrap { start -= wrap }
            segment.tracks = [Good.track(.audio, from: start, for: length)]
            return segment
        }
        return MediaSubject(document: Good.document(head + entries), segments: all)
    }

    @Test(arguments: [0, 3600 * 20] as [Int64])
    func `durations over twenty hours are compared on each clock`(begun: Int64) {
        for layout in [SegmentInspection.Layout.transportStream, .fragmentedMP4] {
            #expect(TimelineRules.drift.findings(Self.day(layout, begun: begun)) == [], "\(layout)")
            #expect(TimelineRules.drift.findings(Self.day(layout, begun: begun, late: Rational(9))).count == 1)
        }
    }

    @Test func `of two segments with the same bytes, the one at the wrong time is named`() {
        var subject = Good.long(step: Rational(6))
        for number in subject.segments.indices { subject.segments[number].digest = UInt64(number) }
        subject.segments[3].digest = 9
        subject.segments[3].tracks = subject.segments[9].tracks
        let found = ContentRules.repeated.findings(subject)
        #expect(found.map(\.message.text) == ["segment 3 has the content of segment 9"])
        #expect(found.first?.place.segment == 3)
    }

    @Test(arguments: [true, false])
    func `segments skipped by a delta update are not missing`(isDelta: Bool) {
        let skip = isDelta ? "#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n" : ""
        let text = Good.fragmentText.replacing("#EXT-X-MAP:URI=\"init.mp4\"\n", with: skip)
            .replacing("VERSION:6", with: "VERSION:9").replacing("#EXT-X-PLAYLIST-TYPE:VOD\n", with: "")
            .replacing("#EXT-X-ENDLIST\n", with: "")
        var subject = Good.fragments
        subject.document = Good.document(text)
        subject.segments[1].tracks[0].isEncrypted = true
        subject.segments[2].failure = "not a segment"
        let missing: Set = ["map-needed", "key-given", "segment-readable"]
        let found = Set(Validator.findings(subject).map(\.rule.id)).intersection(missing)
        #expect(found == (isDelta ? [] : missing))
    }

    @Test func `a requirement of a media format that fails no player is a recommendation by default`() throws {
        let rules = Dictionary(uniqueKeysWithValues: RuleCatalog.rules.map { ($0.id, $0) })
        let interval = try #require(rules["ts-clock-interval"])
        #expect(interval.severity(in: .rfc) == .should && interval.severity(in: .all) == .must)
        let checksum = try #require(rules["ts-checksum"])
        #expect(checksum.severity(in: .rfc) == .must)
    }

    /// Sixty segments of audio that declare 6 s and last as long as stated, on the timeline of a presentation.
    private static func audio(step: Rational, presentationStart: Rational?) -> MediaSubject {
        var subject = Good.long(step: Rational(6))
        subject.isAudioOnly = true
        subject.presentationStart = presentationStart
        for number in subject.segments.indices {
            var track = Good.track(.audio, from: Rational(10) + step * Rational(Int64(number)), for: step)
            var setup = CodingSetup()
            (setup.frameLength, setup.sampleRate) = (1024, 48_000)
            (track.setup, track.samples) = (setup, 281)
            subject.segments[number].tracks = [track]
            subject.segments[number].startsWithIDR = nil
        }
        return subject
    }

    @Test func `audio that drifts by half a second over an hour of segments is found`() {
        #expect(TimelineRules.drift.findings(Self.audio(step: Rational(6), presentationStart: nil)) == [])
        let drifting = Self.audio(step: Rational(6) - Rational(44, 6000), presentationStart: nil)
        #expect(TimelineRules.drift.findings(drifting).count == 1)
    }

    @Test(arguments: [(500, false), (1000, true), (3000, true), (-1000, true)] as [(Int64, Bool)])
    func `audio may drift by two frames over all segments`(microseconds: Int64, isFound: Bool) {
        // From the second to the last segment, 58 steps; two frames of 1024 samples at 48 kHz are 42.7 ms.
        let step = Rational(6) - Rational(microseconds, 1_000_000)
        let found = TimelineRules.drift.findings(Self.audio(step: step, presentationStart: nil))
        #expect(found.isEmpty != isFound)
    }

    @Test func `a jump of the timestamps does not change the measured duration of the segment before it`() {
        var subject = Good.long(step: Rational(6))
        subject.segments[31].tracks = subject.segments[2].tracks
        #expect(DurationRules.durationTrue.findings(subject) == [])
    }

    @Test func `only audio that starts late has a first segment shorter than stated`() {
        var subject = Self.audio(step: Rational(6), presentationStart: Rational(10))
        subject.segments[0].tracks[0].start = Rational(21, 2)
        #expect(DurationRules.durationTrue.findings(subject) == [])
        subject.presentationStart = Rational(21, 2)
        #expect(DurationRules.durationTrue.findings(subject).map(\.place.segment) == [0])
    }

    @Test func `a cue outside its segment is misplaced unless the next segment repeats it`() {
        func findings(_ cues: [[SubtitleFacts.Cue]]) -> [BrokenRule] {
            var subject = Good.multivariant
            for (number, cues) in cues.enumerated() {
                subject.media[3].subject.segments[number].subtitles = SubtitleFacts(map: Rational(10), cues: cues)
            }
            return TimelineRules.subtitles.findings(subject)
        }
        let cue = SubtitleFacts.Cue(Rational(7), Rational(8), text: "Hello")
        #expect(findings([[cue], [], []]).map(\.place.segment) == [0])
        #expect(findings([[cue], [cue], []]) == [])
        #expect(findings([[], [cue], []]) == [])
        let near = SubtitleFacts.Cue(Rational(31, 5), Rational(8), text: "Hello")
        #expect(findings([[near], [], []]) == [])
    }

    @Test func `a clock of 33 bits in WebVTT beside a longer one is advice, and places the cues`() {
        var subject = Good.multivariant
        let wrap = Rational(1 << 33, 90_000)
        for media in 0..<3 {
            for number in 0..<3 {
                subject.media[media].subject.segments[number].layout = .fragmentedMP4
                for track in subject.media[media].subject.segments[number].tracks.indices {
                    let facts = subject.media[media].subject.segments[number].tracks[track]
                    subject.media[media].subject.segments[number].tracks[track].start = facts.start.map { $0 + wrap }
                }
            }
        }
        #expect(TimelineRules.subtitles.findings(subject) == [])
        #expect(SubtitleRules.complete.findings(subject) == [])
        #expect(SubtitleRules.timestampMap.findings(subject.media[3].subject) == [])
        #expect(SubtitleRules.clock.findings(subject).map(\.rule.clause) == ["own"])
    }

    @Test func `names are unique`() {
        #expect(Set(RuleCatalog.rules.map(\.id)).count == RuleCatalog.rules.count)
    }

    @Test func `each rule is listed once, with a requirement and a fix`() {
        let listed = RuleSection.allCases.flatMap(RuleCatalog.rules(in:))
        #expect(listed.map(\.id).sorted() == RuleCatalog.rules.map(\.id).sorted())
        for rule in listed {
            #expect(!rule.requirement.isEmpty && !rule.requirement.hasSuffix("."), "\(rule.id)")
            #expect(!rule.fix.isEmpty && !rule.fix.hasSuffix("."), "\(rule.id)")
        }
    }

    @Test func `a comparison states both values with as many digits as tell them apart`() {
        let duration = Comparison("the segment measures", 6.0004, expected: .atMost(6), unit: .seconds)
        #expect(duration.message.text == "the segment measures 6.0004 s, expected at most 6 s")
        let rate = Comparison(
            "the peak bit rate is",
            1_912_345,
            expected: .within(1_280_000, percent: 10),
            unit: .bitsPerSecond
        )
        #expect(rate.message.text == "the peak bit rate is 1912 kbit/s, expected 1280 kbit/s ± 10 %")
    }

    @Test func `a rule that compares numbers keeps them as values`() throws {
        let text = Good.transportText.replacing("TARGETDURATION:6", with: "TARGETDURATION:4")
        let found = Validator.findings(MediaSubject(document: Good.document(text)))
        let values = try #require(found.first { $0.rule.id == "target-holds" }?.comparison)
        #expect(values.measured > values.expected && values.expected == 4 && values.unit == .seconds)
    }

    @Test func `the page ends with the tables of the rules`() throws {
        let folder = Checkout.root
        let page = try String(contentsOf: folder.appending(path: "docs/validate.md"), encoding: .utf8)
        #expect(
            page.hasSuffix(RuleCatalog.markdown),
            "write the output of segue rules to the end of docs/validate.md"
        )
    }

    @Test func `a missing resource is reported once`() {
        var subject = Good.multivariant
        subject.media[2].subject = MediaSubject(
            document: PlaylistDocument(url: Good.base + "sound.m3u8", bytes: [], absence: "no such file")
        )
        subject.media[3].subject = MediaSubject(
            document: PlaylistDocument(
                url: Good.base + "words.m3u8",
                bytes: Array("gone".utf8),
                http: HTTPFacts(.playlist, url: Good.base + "words.m3u8", get: HTTPAnswer(status: 404))
            )
        )
        let found = Validator.findings(subject)
        #expect(found.map(\.rule.id) == ["uri-resolves", "uri-resolves"])
        #expect(found.map(\.message.text) == ["no such file", "the server returned 404"])
    }

    @Test(arguments: [("<html>Sorry</html>", "is HTML"), ("{\"error\": 1}", "is JSON"), ("WEBVTT\n\n", "is a segment")])
    func `a file mistaken for a playlist is described`(text: String, words: String) {
        var subject = Good.multivariant
        let document = PlaylistDocument(url: Good.base + "sound.m3u8", bytes: Array(text.utf8))
        subject.media[2].subject = MediaSubject(document: document)
        let found = Validator.findings(subject)
        #expect(found.map(\.rule.id) == ["first-line"])
        #expect(found[0].message.text.contains(words))
    }

    @Test func `no codec is derived from unreadable segments`() {
        var subject = Good.multivariant
        for number in subject.media[0].subject.segments.indices {
            let size = subject.media[0].subject.segments[number].size
            var segment = SegmentFacts(number: number, url: Good.base + "\(number).ts", size: size)
            segment.failure = "no"
            subject.media[0].subject.segments[number] = segment
        }
        #expect(Set(Validator.findings(subject).map(\.rule.id)) == ["segment-readable"])
    }

    @Test func `a feature of media playlists may have its version`() {
        let text = Good.multivariantText.replacing(
            "#EXT-X-VERSION:6\n",
            with: "#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n"
        )
        #expect(Validator.findings(Good.multivariant(text)) == [])
    }

    @Test func `the parser's reason is reported once, beside other findings`() {
        let text = Good.transportText.replacing("VERSION:3", with: "VERSION:4").replacing(
            "5.000000,\n2.ts",
            with: "9.000000,\n2.ts"
        )
        func rules(_ text: String) -> [String] {
            Validator.findings(MediaSubject(document: Good.document(text))).map(\.rule.id)
        }
        let far = text.replacing("0.ts", with: "#EXT-X-BYTERANGE:10@9007199254740990\n0.ts")
            .replacing("1.ts", with: "#EXT-X-BYTERANGE:10\n0.ts")
        #expect(rules(far) == ["target-holds", "playlist-readable"])
        #expect(
            rules(text.replacing("TARGETDURATION:6", with: "TARGETDURATION:six")) == ["version-unneeded", "tag-value"]
        )
    }

    @Test func `media playlists import variables of their multivariant playlist`() {
        let text = Good.transportText.replacing("VERSION:3", with: "VERSION:8")
            .replacing("#EXT-X-PLAYLIST", with: "#EXT-X-DEFINE:IMPORT=\"a\"\n#EXT-X-PLAYLIST")
            .replacing("1.ts", with: "{$a}.ts")
        let document = PlaylistDocument(url: Good.base + "a.m3u8", bytes: Array(text.utf8), importing: ["a": "b"])
        #expect(Validator.findings(MediaSubject(document: document)) == [])
        #expect(document.media?.segments[1].uri == "b.ts")
    }

    @Test(
        arguments: [
            ("2026-01-01T00:00:00.000Z", 1_767_225_600), ("2026-01-01T01:00:00+01:00", 1_767_225_600),
            ("20260101T000000Z", 1_767_225_600), ("2024-02-29T23:59:60Z", 1_709_251_200), ("2025-02-29T00:00:00Z", nil),
            ("2026-13-01T00:00:00Z", nil), ("2026-01-01", nil), ("2026-01-01 00:00:00Z", nil), ("", nil),
        ] as [(String, Double?)]
    )
    func `dates are read as in ISO 8601`(text: String, seconds: Double?) {
        #expect(ISO8601Time(text)?.secondsSince1970 == seconds)
    }

    @Test func `good live playlists break no rule`() {
        #expect(Validator.findings(MediaSubject(document: Good.document(Good.liveText))) == [])
    }

    @Test func `a finding names its line and segment`() throws {
        var subject = Good.transport
        subject.segments[1].startsWithIDR = false
        let finding = try #require(Validator.findings(subject).first)
        #expect(finding.place.description == "http://h/a/index.m3u8, line 10, segment 1")
        #expect(finding.rule.clause == "A7.4")
    }

    @Test(arguments: ["nan", "-nan", "inf", "-inf", "1e400", "-1e400", "0x1p1023", "99999999999999999999"])
    func `a duration that is not a number is a finding`(text: String) {
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXTINF:\(text),\nb.ts\n#EXT-X-ENDLIST\n"
        let subject = MediaSubject(
            document: PlaylistDocument(url: Good.base + "index.m3u8", bytes: Array(playlist.utf8))
        )
        #expect(!Validator.findings(subject).isEmpty)
    }

    @Test(arguments: [("0", "0.000000000"), ("1", "0.000000001"), ("9007199254740992", "0.000000001")])
    func `rates of segments without a length are findings`(target: String, duration: String) {
        var subject = Good.multivariant
        for index in subject.media.indices {
            let document = subject.media[index].subject.document
            let text = String(decoding: document.bytes, as: UTF8.self)
                .replacing(/#EXT-X-TARGETDURATION:[0-9]+/, with: "#EXT-X-TARGETDURATION:\(target)")
                .replacing(/#EXTINF:[0-9.]+/, with: "#EXTINF:\(duration)", maxReplacements: 1)
            subject.media[index].subject.document = PlaylistDocument(url: document.url, bytes: Array(text.utf8))
            for segment in subject.media[index].subject.segments.indices {
                subject.media[index].subject.segments[segment].size = 1 << 40
            }
        }
        #expect(Validator.findings(subject).contains { $0.rule.id == "bandwidth-true" })
    }
}
