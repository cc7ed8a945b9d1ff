import SegueBase
import SegueConformance
import SegueFetch
import SeguePlaylists

/// A subject that breaks one rule.
struct Break: Sendable {
    let rule: String
    /// The rules that the same subject breaks by necessity.
    var alongside: Set<String> = []
    let findings: @Sendable () -> [BrokenRule]

    /// The same with the rules that it breaks by necessity.
    func breaking(_ others: String...) -> Break {
        var copy = self
        copy.alongside = Set(others)
        return copy
    }

    /// A good playlist of transport streams with a part of its text replaced; the segments are not inspected.
    static func text(_ rule: String, _ old: String, _ new: String) -> Break {
        Break(rule: rule) {
            Validator.findings(MediaSubject(document: Good.document(Good.transportText.replacing(old, with: new))))
        }
    }

    /// A playlist's bytes.
    static func bytes(_ rule: String, _ bytes: [UInt8], name: String = "index.m3u8") -> Break {
        Break(rule: rule) {
            Validator.findings(MediaSubject(document: PlaylistDocument(url: Good.base + name, bytes: bytes)))
        }
    }

    static func transport(_ rule: String, _ change: @escaping @Sendable (inout MediaSubject) -> Void) -> Break {
        media(rule, { Good.transport }, change)
    }

    static func fragments(_ rule: String, _ change: @escaping @Sendable (inout MediaSubject) -> Void) -> Break {
        media(rule, { Good.fragments }, change)
    }

    static func media(
        _ rule: String,
        _ good: @escaping @Sendable () -> MediaSubject,
        _ change: @escaping @Sendable (inout MediaSubject) -> Void
    ) -> Break {
        Break(rule: rule) {
            var subject = good()
            change(&subject)
            return Validator.findings(subject)
        }
    }

    /// A good multivariant playlist with the first occurrence of a part of its text replaced.
    static func variants(_ rule: String, _ old: String, _ new: String) -> Break {
        Break(rule: rule) {
            Validator.findings(
                Good.multivariant(Good.multivariantText.replacing(old, with: new, maxReplacements: 1))
            )
        }
    }

    static func presentation(
        _ rule: String,
        _ change: @escaping @Sendable (inout MultivariantSubject) -> Void
    ) -> Break {
        Break(rule: rule) {
            var subject = Good.multivariant
            change(&subject)
            return Validator.findings(subject)
        }
    }

    static func http(
        _ rule: String,
        _ role: HTTPFacts.Role = .segment,
        _ change: @escaping @Sendable (inout HTTPFacts) -> Void
    ) -> Break {
        Break(rule: rule) {
            var facts = Good.resource(role)
            change(&facts)
            var subject = Good.transport
            subject.resources = [facts]
            return Validator.findings(subject)
        }
    }

    static let all =
        playlists + segments + presentations + renditions + deliveries + delivered + attributes + variables + keys
        + dateRanges + times + parts + members + variantTexts + authoring + children + faults + contents + encryption
        + streams + steering + groupMedia + decoded + pictures + borders + shownPictures

    private static let playlists: [Break] = [
        .text("first-line", "#EXTM3U", "#EXTM3"),
        .bytes("utf-8", Array(Good.transportText.utf8) + [0x23, 0xFF, 0x0A]),
        .bytes("byte-order-mark", [0xEF, 0xBB, 0xBF] + Array(Good.transportText.utf8)),
        .text("control-characters", "6.000000,\n0", "6.000000,a\tb\n0"),
        .bytes("playlist-type", Array(Good.transportText.utf8), name: "index.txt"),
        .text("attribute-list", "#EXT-X-PLAYLIST", "#EXT-X-START:TIME-OFFSET=1,,PRECISE=YES\n#EXT-X-PLAYLIST"),
        .text("duplicate-attribute", "#EXT-X-PLAYLIST", "#EXT-X-START:TIME-OFFSET=1,TIME-OFFSET=2\n#EXT-X-PLAYLIST"),
        .text("mixed-tags", "#EXT-X-PLAYLIST", "#EXT-X-SESSION-DATA:DATA-ID=\"a.b\",VALUE=\"b\"\n#EXT-X-PLAYLIST"),
        .text("version-once", "#EXT-X-VERSION:3", "#EXT-X-VERSION:3\n#EXT-X-VERSION:3"),
        .text("version-enough", "#EXT-X-VERSION:3\n", ""),
        .text("version-unneeded", "#EXT-X-VERSION:3", "#EXT-X-VERSION:4"),
        .text("composed", "6.000000,\n0", "6.000000,cafe\u{301}\n0"),
        .text("white-space", "6.000000,\n0", "6.000000 ,\n0"),
        .text("white-space", "1.ts", " 1.ts"),
        .text("white-space", "1.ts\n", "1.ts\n   \n"),
        .text("white-space", "#EXTM3U", "#EXTM3U "),
        .bytes(
            "playlist-readable",
            Array(
                Good.transportText.replacing("VERSION:3", with: "VERSION:4")
                    .replacing("0.ts", with: "#EXT-X-BYTERANGE:10@9007199254740980\n0.ts")
                    .replacing("1.ts", with: "#EXT-X-BYTERANGE:10\n0.ts")
                    .replacing("2.ts", with: "#EXT-X-BYTERANGE:10\n0.ts").utf8
            )
        ),
        .text("white-space", "1.ts", "1\u{3000}.ts"),
        .text("line-ends", "6.000000,\n0.ts", "6.000000,a\rb\n0.ts"),
        .altered("last-line") { String($0.dropLast()) },
        .text("uri-form", "1.ts", "ä.ts"),
        .text("uri-form", "1.ts", "my#1.ts"),
        .bytes("playlist-names", Array("#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n".utf8)),
        .text("target-least", "TARGETDURATION:6", "TARGETDURATION:0"),
        .text("duration-form", "5.000000", "-5.000000"),
        .text("duration-form", "5.000000", "five"),
        .text("duration-comma", "5.000000,", "5.000000"),
        .text("target-once", "#EXT-X-TARGETDURATION:6\n", ""),
        .text("target-holds", "TARGETDURATION:6", "TARGETDURATION:5"),
        .text("duration-given", "#EXTINF:6.000000,\n1.ts", "1.ts"),
        .text("duration-positive", "5.000000", "0.000000"),
        .text("sequence-first", "#EXT-X-ENDLIST", "#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-ENDLIST"),
        .text("vod-type", "#EXT-X-PLAYLIST-TYPE:VOD\n", ""),
        .text("vod-end", "#EXT-X-ENDLIST\n", ""),
        .media("vod-unchanged", { Good.transport }) { $0.document.isSameAgain = false },
        .text("segment-length", "6.000000", "2.000000"),
        .text(
            "date-range",
            "#EXTINF:5",
            "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00.000Z\"\n#EXTINF:5"
        ),
        .text("start-inside", "#EXT-X-PLAYLIST", "#EXT-X-START:TIME-OFFSET=-30\n#EXT-X-PLAYLIST"),
        .text("sliver", "5.000000", "0.040000"),
        .bytes(
            "range-offset",
            Array(
                Good.transportText.replacing("VERSION:3", with: "VERSION:4")
                    .replacing("0.ts", with: "#EXT-X-BYTERANGE:10\n0.ts").utf8
            )
        ),
    ]

    private static let segments: [Break] = [
        .transport("segment-readable") { $0.segments[1].failure = "no" },
        .transport("duration-true") { subject in
            subject.segments[2].tracks[0].duration = Rational(5100, 1000)
            subject.segments[2].tracks[0].last = Rational(22) + Rational(5100, 1000) - Rational(1, 25)
        },
        .transport("duration-exact") { $0.segments[2].tracks[0].duration = Rational(5002, 1000) },
        .media("duration-sum", { Good.long(step: Rational(59_991, 10_000)) }) { _ in },
        .transport("duration-bound") { subject in
            let text = Good.transportText.replacing("5.000000", with: "6.499500")
            subject.document = Good.document(text)
            subject.segments[2].tracks[0].duration = Rational(65_003, 10_000)
            subject.segments[2].tracks[0].last = Rational(22) + Rational(65_003, 10_000) - Rational(1, 25)
            subject.segments[2].tracks[1] = subject.segments[2].tracks[0]
            (subject.segments[2].tracks[1].number, subject.segments[2].tracks[1].kind) = (257, .audio)
            subject.segments[2].tracks[1].codec = "aac"
        },
        .fragments("map-needed") {
            let text = Good.fragmentText.replacing("#EXT-X-MAP:URI=\"init.mp4\"\n", with: "")
            $0.document = Good.document(text.replacing("VERSION:6", with: "VERSION:3"))
        },
        .transport("range-bounds") { subject in
            let text = Good.transportText.replacing("VERSION:3", with: "VERSION:4")
                .replacing("1.ts", with: "#EXT-X-BYTERANGE:10@0\n1.ts")
            subject.document = Good.document(text)
        },
        .transport("starts-with-idr") { $0.segments[1].startsWithIDR = false },
        .transport("one-sound") { subject in
            for number in 0..<3 {
                var second = subject.segments[number].tracks[1]
                second.number = 258
                subject.segments[number].tracks.append(second)
            }
        },
        .transport("codec-container") { subject in
            for number in 0..<3 { subject.segments[number].tracks[0].codec = "hevc" }
        },
        .transport("sound-alone") { $0.isAudioOnly = true },
        .transport("discontinuity-needed") { $0.segments[2].tracks[1].codec = "mp3" },
        .transport("coding-continues") { subject in
            for number in 0..<3 { subject.segments[number].tracks[0].coding = number < 2 ? 7 : 8 }
        },
        .media("webvtt-map", { Good.subtitles }) { $0.segments[0].subtitles?.map = nil },
        .media("webvtt-cues", { Good.subtitles }) { subject in
            let text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n00:05.000 --> 00:04.000\nHello\n"
            subject.segments[0].subtitles = SubtitleFacts(Array(text.utf8))
        },
        .media("packed-audio-time", { MediaSubject(document: Good.document(Good.transportText)) }) { subject in
            var segment = SegmentFacts(number: 0, url: "", size: 1, layout: .packedAudio)
            segment.tracks = [TrackFacts(number: 0, kind: .audio, codec: "aac")]
            subject.segments = [segment]
        },
        .transport("ts-tables") { $0.segments[1].transport?.beginsWithTables = false },
        .transport("ts-packets") { $0.segments[1].transport?.isInStep = false },
        .transport("ts-counters") { $0.segments[1].transport?.counters[256]?.breaks = 1 },
        .transport("ts-counters-across") { $0.segments[1].transport?.counters[256]?.first = 3 },
        .transport("ts-decode-times") { $0.segments[1].transport?.unsteady = [256] },
        .transport("ts-clock") { $0.segments[1].transport?.firstClock = 400_000 },
        .transport("ts-continuous") { $0.segments[1].tracks[1].start = Rational(17) },
        .media("iframe-picture", { Good.frames }) { $0.segments[1].tracks[0].samples = 2 },
        .fragments("init-readable") { $0.initializations[0].failure = "no" },
        .fragments("tfdt-continuous") { $0.segments[1].tracks[1].decodeStart = Rational(16_001, 1000) },
        .fragments("sample-durations") { $0.segments[1].tracks[1].zeroDurations = 1 },
        .fragments("init-brand") { $0.initializations[0].brands = ["isom"] },
        .fragments("init-samples") { $0.initializations[0].samples = 1 },
        .fragments("init-mvex") { $0.initializations[0].hasMovieExtends = false },
        .fragments("init-tracks") { subject in
            for number in 0..<3 { subject.segments[number].tracks.removeLast() }
        },
    ]

    private static let presentations: [Break] = [
        .variants("bandwidth", "BANDWIDTH=1750000,", ""),
        .variants("variant-uri", "film.m3u8\n", ""),
        .variants("codecs", "CODECS=\"mp4a.40.2\"", "NAME=\"x\""),
        .variants("codecs-true", "avc1.64001f", "avc1.64001e"),
        .variants("resolution", "RESOLUTION=640x360,", ""),
        .variants("frame-rate", ",FRAME-RATE=25.000", ""),
        .variants("sound-variant", "CODECS=\"mp4a.40.2\"", "CODECS=\"mp4a.40.2\",RESOLUTION=1x1"),
        .variants("average-bandwidth", "AVERAGE-BANDWIDTH=1500000,", ""),
        .variants(
            "bandwidth-true",
            "BANDWIDTH=830000,AVERAGE-BANDWIDTH=800000,CODECS=\"m",
            "BANDWIDTH=810000,AVERAGE-BANDWIDTH=800000,CODECS=\"m"
        ),
        .variants(
            "bandwidth-true",
            "BANDWIDTH=830000,AVERAGE-BANDWIDTH=800000,CODECS=\"m",
            "BANDWIDTH=1200000,AVERAGE-BANDWIDTH=800000,CODECS=\"m"
        ),
        .variants("average-true", "AVERAGE-BANDWIDTH=800000", "AVERAGE-BANDWIDTH=500000"),
        .presentation("average-true") { subject in
            let text = Good.multivariantText.replacing(
                "BANDWIDTH=830000,AVERAGE-BANDWIDTH=800000,CODECS=\"m",
                with: "BANDWIDTH=990000,AVERAGE-BANDWIDTH=985000,CODECS=\"m"
            )
            subject = Good.multivariant(text)
        },
        .variants("bandwidth-largest", "BANDWIDTH=1750000", "BANDWIDTH=1600000"),
        .variants("average-largest", "AVERAGE-BANDWIDTH=1500000", "AVERAGE-BANDWIDTH=900000"),
        .variants(
            "average-largest",
            "BANDWIDTH=1750000,AVERAGE-BANDWIDTH=1500000",
            "BANDWIDTH=1900000,AVERAGE-BANDWIDTH=1850000"
        ),
        .variants("iframe-bandwidth", "BANDWIDTH=900000", "BANDWIDTH=80000"),
        .variants("iframe-described", ",RESOLUTION=640x360,URI", ",URI"),
        .variants("captions-none", "SUBTITLES=\"w\"", "SUBTITLES=\"w\",CLOSED-CAPTIONS=NONE"),
        .presentation("independent") { subject in
            let line = "#EXT-X-INDEPENDENT-SEGMENTS\n"
            for index in subject.media.indices {
                subject.media[index].subject.document = Good.document(Good.transportText.replacing(line, with: ""))
            }
        },
        .variants("group-exists", "AUDIO=\"s\"", "AUDIO=\"t\""),
        .variants("member-names", "Deutsch", "English"),
        .variants("member-default", "LANGUAGE=\"de\",", "LANGUAGE=\"de\",DEFAULT=YES,"),
        .variants("member-language", "LANGUAGE=\"de\",", ""),
        .presentation("same-target") { subject in
            let text = Good.transportText.replacing("TARGETDURATION:6", with: "TARGETDURATION:7")
            subject.media[2].subject.document = Good.document(text)
        },
        .presentation("same-boundaries") { subject in
            let text = Good.transportText.replacing("6.000000", with: "5.000000")
            subject.media[2].subject.document = Good.document(text)
            subject.media[2].subject.segments = []
        },
        .presentation("same-discontinuities") { subject in
            let text = Good.transportText.replacing("#EXTINF:5", with: "#EXT-X-DISCONTINUITY\n#EXTINF:5")
            subject.media[2].subject.document = Good.document(text)
        },
        .presentation("same-start") { subject in
            for number in 0..<3 {
                let start = subject.media[2].subject.segments[number].tracks[0].start ?? .zero
                subject.media[2].subject.segments[number].tracks[0].start = start + Rational(1)
                let last = subject.media[2].subject.segments[number].tracks[0].last ?? .zero
                subject.media[2].subject.segments[number].tracks[0].last = last + Rational(1)
            }
        },
    ]

    private static let renditions: [Break] = [
        .presentation("video-range") { $0.media[0].subject.segments[0].tracks[0].videoRange = "PQ" },
        .presentation("bandwidth-largest") { subject in
            for number in 0..<3 { subject.media[2].subject.segments[number].size = 188 * 3900 }
            let louder = Good.multivariantText.replacing(
                "BANDWIDTH=830000,AVERAGE-BANDWIDTH=800000,CODECS=\"m",
                with: "BANDWIDTH=1173000,AVERAGE-BANDWIDTH=1035000,CODECS=\"m"
            ).replacing("AVERAGE-BANDWIDTH=1500000", with: "AVERAGE-BANDWIDTH=1700000")
            subject = MultivariantSubject(
                document: Good.document(louder, name: "master.m3u8"),
                media: subject.media,
                iFrames: subject.iFrames
            )
        },
        .presentation("codecs-complete") { subject in
            for number in 0..<3 {
                subject.media[2].subject.segments[number].tracks[0].codec = "ac3"
                subject.media[2].subject.segments[number].tracks[0].parameters = "ac-3"
            }
            let text = Good.multivariantText.replacing("CODECS=\"mp4a.40.2\"", with: "CODECS=\"ac-3\"")
            subject = MultivariantSubject(
                document: Good.document(text, name: "master.m3u8"),
                media: subject.media,
                iFrames: subject.iFrames
            )
        },
        .presentation("same-range") { subject in
            let text = Good.transportText.replacing("#EXTINF:6.000000,\n1.ts\n#EXTINF:5.000000,\n2.ts\n", with: "")
            subject.media[2].subject.document = Good.document(text, name: "sound.m3u8")
            subject.media[2].subject.segments.removeLast(2)
        },
        .variants("iframe-uri", ",URI=\"pictures.m3u8\"", ""),
        .variants("iframe-attributes", ",URI=\"pictures.m3u8\"", ",URI=\"pictures.m3u8\",FRAME-RATE=25.000"),
        .presentation("iframe-only") { subject in
            subject.iFrames[0].subject = Good.transport
        },
        .presentation("webvtt-complete") { $0.media[3].subject.segments[1].subtitles?.cues.removeAll() },
        .variants("member-uri", ",URI=\"words.m3u8\"", ""),
        .variants("member-autoselect", "DEFAULT=YES,AUTOSELECT=YES", "DEFAULT=YES,AUTOSELECT=NO"),
        .variants("member-forced", "LANGUAGE=\"de\",", "LANGUAGE=\"de\",FORCED=NO,"),
        .head("member-captions", "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"a\",LANGUAGE=\"en\""),
        .variants("member-channels", "AUTOSELECT=YES,CHANNELS=\"2\",URI", "AUTOSELECT=YES,URI"),
    ]

    private static let deliveries: [Break] = [
        .http("uri-resolves") { $0.get = HTTPAnswer(status: 404) },
        .http("media-redirected") { $0.finalURL = "http://h/b/0.ts" },
        .http("segment-type") { facts in
            facts.get.headers["content-type"] = "text/plain"
            facts.head?.headers["content-type"] = "text/plain"
        },
        .http("head-equals-get") { $0.head?.headers["content-length"] = "1" },
        .http("range-206") { $0.range?.status = 200 },
        .http("range-206") { $0.range?.isTrue = false },
        .http("ranges-multipart") { $0.severalRanges?.isTrue = false },
        .http("ranges-multipart") { $0.severalRanges?.status = 416 },
        .http("missing-at-once") { $0.missing?.seconds = 2 },
        .http("if-range") { $0.otherRange?.status = 206 },
        .http("range-416") { $0.beyond?.status = 200 },
        .http("playlist-gzip", .playlist) { $0.get.headers["content-encoding"] = nil },
        .http("vary", .playlist) { $0.get.headers["vary"] = nil },
        .http("entity-tag") { facts in
            facts.get.headers["etag"] = "W/\"a\""
            facts.head?.headers["etag"] = "W/\"a\""
        },
        .http("not-modified") { $0.unchanged?.status = 200 },
        .http("missing-404") { $0.missing?.status = 200 },
        .http("user-agent-same") { $0.agents["AppleCoreMedia"] = HTTPAnswer(status: 403) },
        .http("rate-limited") { $0.get.refusals = 1 },
        .http("resolves-first") { $0.first = HTTPAnswer(status: 404) },
        .http("connections-kept") { $0.get.connection = ConnectionUse(kept: 30, lost: 3) },
    ]
}
