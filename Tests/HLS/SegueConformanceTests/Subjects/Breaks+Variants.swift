import SegueBase
import SegueConformance

/// Violations of the rules on renditions, variants, and media playlists compared with one another.
extension Break {
    private static let german = "NAME=\"Deutsch\",LANGUAGE=\"de\",AUTOSELECT=YES"
    private static let audio = "TYPE=AUDIO,GROUP-ID=\"s\","
    private static let words = "NAME=\"English\",LANGUAGE=\"en\",AUTOSELECT=YES,URI"

    /// A second audio group beside the good one.
    private static func second(_ rule: String, _ english: String, _ others: String...) -> Break {
        let lists = ["\(english),CHANNELS=\"6\""] + others
        return .variants(
            rule,
            "#EXT-X-STREAM-INF",
            lists.map { "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"t\",\($0)\n" }.joined() + "#EXT-X-STREAM-INF"
        )
    }

    static let members: [Break] = [
        .head(
            "member-stream",
            "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"a\",LANGUAGE=\"en\",INSTREAM-ID=\"CC5\""
        ),
        .head(
            "member-stream",
            version: 7,
            "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"a\",LANGUAGE=\"en\",INSTREAM-ID=\"SERVICE64\""
        ),
        .variants("member-sound-only", words, "NAME=\"English\",LANGUAGE=\"en\",AUTOSELECT=YES,BIT-DEPTH=8,URI"),
        .variants("channels-form", "CHANNELS=\"2\"", "CHANNELS=\"stereo\""),
        .variants("channels-form", "CHANNELS=\"2\"", "CHANNELS=\"2//BINAURAL\""),
        .variants("language-form", "LANGUAGE=\"de\"", "LANGUAGE=\"de_AT\""),
        .variants("member-alike", "LANGUAGE=\"de\"", "LANGUAGE=\"en\""),
        .second(
            "group-members",
            "NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES"
        ),
        .second(
            "group-attributes",
            "NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES",
            german.replacing("YES", with: "NO") + ",CHANNELS=\"6\""
        ),
        .variants("characteristics-form", german, german + ",CHARACTERISTICS=\"a,,b\""),
        .variants(
            "description-autoselect",
            german,
            "NAME=\"Deutsch\",LANGUAGE=\"de\",CHARACTERISTICS=\"public.accessibility.describes-video\""
        ),
        .variants(
            "deaf-characteristics",
            words,
            words.replacing("URI", with: "CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog\",URI")
        ),
        .variants(
            "deaf-autoselect",
            words,
            "NAME=\"English\",LANGUAGE=\"en\",CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
                + "public.accessibility.describes-music-and-sound\",URI"
        ),
        .variants("forced-autoselect", words, "NAME=\"English\",LANGUAGE=\"en\",FORCED=YES,URI"),
    ]

    private static let firstCodecs = "CODECS=\"avc1.64001f,mp4a.40.2\",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO"

    static let variantTexts: [Break] = [
        .master("codecs-form") { $0.replacing("avc1.64001f,mp4a.40.2", with: "avc1.4200c,mp4a.40.2") },
        .master("codecs-form") { $0.replacing("avc1.64001f,mp4a.40.2", with: "avc1.66.30,mp4a.40.2") },
        .master("codecs-form") { $0.replacing("CODECS=\"mp4a.40.2\"", with: "CODECS=\"flac\"") },
        .master("codecs-once") { $0.replacing("avc1.64001f,mp4a.40.2", with: "avc1.64001f,mp4a.40.2,mp4a.40.2") },
        .master("average-above") { $0.replacing("AVERAGE-BANDWIDTH=1500000", with: "AVERAGE-BANDWIDTH=1800000") },
        .master("variant-once") {
            $0.replacing("both.m3u8", with: "film.m3u8").replacing(",AUDIO=\"s\",SUBTITLES=\"w\"", with: "")
        },
        .variants("score-all", "BANDWIDTH=1750000", "SCORE=1.5,BANDWIDTH=1750000"),
        .variants("supplemental-codecs", firstCodecs, "SUPPLEMENTAL-CODECS=\"dvh1.08.01/db1p\"," + firstCodecs),
        .variants("supplemental-codecs", firstCodecs, "SUPPLEMENTAL-CODECS=\"avc1.64001f/brand\"," + firstCodecs),
        .master("video-layout") {
            $0.replacing("VERSION:6", with: "VERSION:12").replacing(
                firstCodecs,
                with: "REQ-VIDEO-LAYOUT=\"CH-STEREO/CH-MONO\"," + firstCodecs
            )
        },
        .master("video-layout-needed") {
            $0.replacing("VERSION:6", with: "VERSION:12").replacing(
                firstCodecs,
                with: "REQ-VIDEO-LAYOUT=\"CH-MONO\"," + firstCodecs
            )
        },
        .variants("allowed-cpc", firstCodecs, "ALLOWED-CPC=\"AppleMain\"," + firstCodecs),
        .variants("stable-id", firstCodecs, "STABLE-VARIANT-ID=\"a b\"," + firstCodecs),
        .variants("stable-id", german, "STABLE-RENDITION-ID=\"ä\"," + german),
        .head(
            "stable-id-same",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=900000,CODECS=\"avc1.64001f\",RESOLUTION=640x360,URI=\"p\",STABLE-VARIANT-ID=\"a\"",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=900000,CODECS=\"avc1.64001f\",RESOLUTION=640x360,URI=\"p\",STABLE-VARIANT-ID=\"b\""
        ),
        .head("pathway-known", "#EXT-X-CONTENT-STEERING:SERVER-URI=\"a\",PATHWAY-ID=\"b\""),
        .head("steering-pathway", "#EXT-X-CONTENT-STEERING:SERVER-URI=\"a\""),
    ]

    /// A good multivariant playlist with its text changed, without its media playlists.
    static func master(_ rule: String, _ change: @escaping @Sendable (String) -> String) -> Break {
        Break(rule: rule) {
            let document = Good.document(change(Good.multivariantText), name: "master.m3u8")
            return Validator.findings(MultivariantSubject(document: document))
        }
    }

    static let authoring: [Break] = [
        .master("video-codec") { $0.replacing("avc1.64001f,mp4a", with: "vp09.00.10.08,mp4a", maxReplacements: 1) },
        .master("sound-codec") { $0.replacing("CODECS=\"mp4a.40.2\"", with: "CODECS=\"mp4a.40.34\"") },
        .master("h264-profile") { $0.replacing("avc1.64001f,", with: "avc1.4d001f,", maxReplacements: 1) },
        .master("h264-modest") { $0.replacing("avc1.64001f,", with: "avc1.640033,") },
        .master("hevc-modest") { $0.replacing("avc1.64001f,", with: "hvc1.2.4.L153.B0,", maxReplacements: 1) },
        .master("dolby-profile") { $0.replacing("avc1.64001f,", with: "dvh1.04.07,", maxReplacements: 1) },
        .master("av1-level") { $0.replacing("avc1.64001f,", with: "av01.0.19M.08,", maxReplacements: 1) },
        .master("frame-rate-usual") { $0.replacing("FRAME-RATE=25.000", with: "FRAME-RATE=15.000") },
        .master("channels-joc-form") { $0.replacing("CHANNELS=\"2\"", with: "CHANNELS=\"16/joc\"") },
        .master("iframe-h264") {
            $0.replacing("CODECS=\"avc1.64001f\",RESOLUTION", with: "CODECS=\"hvc1.2.4.L93.B0\",RESOLUTION")
        },
        .master("hdcp-given") {
            $0.replacing("640x360", with: "1280x720") + "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n"
        },
        .master("video-rates") { $0.replacing("BANDWIDTH=830000", with: "BANDWIDTH=1750000") },
        .master("iframe-given") { $0.replacing(/#EXT-X-I-FRAME.*\n/, with: "") },
        .master("frame-rate-most") { $0.replacing("FRAME-RATE=25.000", with: "FRAME-RATE=90.000") },
        .master("sample-entries") { $0.replacing("avc1", with: "avc3") },
        .master("h264-given") { $0.replacing("avc1.64001f,", with: "hvc1.2.4.L93.B0,") },
        .master("h264-level") { $0.replacing("avc1.64001f,", with: "avc1.64003e,", maxReplacements: 1) },
        .master("hevc-level") { text in
            let low =
                "#EXT-X-STREAM-INF:BANDWIDTH=700000,AVERAGE-BANDWIDTH=600000,CODECS=\"hvc1.2.4.L93.B0,mp4a.40.2\","
                + "RESOLUTION=640x360,FRAME-RATE=25.000\nlow.m3u8\n"
            return text.replacing("avc1.64001f,mp4a.40.2", with: "hvc1.2.4.L156.B0,mp4a.40.2", maxReplacements: 1) + low
        },
        .master("sdr-given") { $0.replacing("FRAME-RATE", with: "VIDEO-RANGE=PQ,FRAME-RATE") },
        .master("sdr-iframes") { $0.replacing("URI=\"pictures", with: "VIDEO-RANGE=PQ,URI=\"pictures") },
        .master("ac3-given") { $0.replacing("CODECS=\"mp4a.40.2\"", with: "CODECS=\"ec-3\"") },
        .master("aac-given") { $0.replacing("mp4a.40.2", with: "fLaC") },
        .master("aspect") { $0.replacing("640x360", with: "640x480", maxReplacements: 1) },
        .master("highest-rates") {
            $0.replacing("640x360", with: "1280x720", maxReplacements: 1)
        },
        .master("apac-level") { $0.replacing("CODECS=\"mp4a.40.2\"", with: "CODECS=\"apac\"") },
        .master("stereo-layout") {
            $0.replacing("avc1.64001f,mp4a.40.2", with: "hvc1.6.4.L93.B0,mp4a.40.2", maxReplacements: 1)
        },
    ]

    /// A presentation with another audio playlist.
    private static func child(_ rule: String, _ change: @escaping @Sendable (String) -> String) -> Break {
        .presentation(rule) { subject in
            let document = subject.media[2].subject.document
            let text = change(String(decoding: document.bytes, as: UTF8.self))
            subject.media[2].subject.document = PlaylistDocument(url: document.url, bytes: Array(text.utf8))
        }
    }

    private static let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n"

    /// Lines in all media playlists.
    private static func all(
        _ rule: String,
        _ lines: @escaping @Sendable (Int) -> String,
        head: String = ""
    ) -> Break {
        Break(rule: rule) {
            var subject = Good.multivariant(
                Good.multivariantText.replacing("#EXT-X-VERSION:6\n", with: "#EXT-X-VERSION:6\n" + head)
            )
            for index in subject.media.indices {
                let document = subject.media[index].subject.document
                let text = String(decoding: document.bytes, as: UTF8.self)
                    .replacing("#EXT-X-PLAYLIST", with: lines(index) + "#EXT-X-PLAYLIST")
                subject.media[index].subject.document = PlaylistDocument(url: document.url, bytes: Array(text.utf8))
            }
            return Validator.findings(subject)
        }
    }

    private static let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"

    static let children: [Break] = [
        .presentation("date-ranges-everywhere") { subject in
            for index in subject.media.indices {
                let document = subject.media[index].subject.document
                let range = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00.000Z\"\n"
                let text = String(decoding: document.bytes, as: UTF8.self)
                    .replacing("#EXT-X-PLAYLIST", with: date + (index == 3 ? range : "") + "#EXT-X-PLAYLIST")
                subject.media[index].subject.document = PlaylistDocument(url: document.url, bytes: Array(text.utf8))
            }
        },
        .all("session-key-given", { _ in key }),
        .presentation("peak-average") { subject in
            subject = Good.multivariant(
                Good.multivariantText.replacing("AVERAGE-BANDWIDTH=1500000", with: "AVERAGE-BANDWIDTH=800000")
            )
            for index in subject.media.indices { subject.media[index].subject.segments = [] }
        },
        .presentation("child-media") { subject in
            let text = Good.multivariantText
            subject.media[2].subject = MediaSubject(document: Good.document(text, name: "sound.m3u8"))
        },
        .head("session-key-used", "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\""),
        .presentation("report-known") { subject in
            let text = Good.transportText.replacing(
                "#EXTINF:5",
                with: "#EXT-X-RENDITION-REPORT:URI=\"x.m3u8\"\n#EXTINF:5"
            )
            subject.media[2].subject.document = Good.document(text, name: "sound.m3u8")
        },
        .child("same-type") { $0.replacing("TYPE:VOD", with: "TYPE:EVENT") },
        .child("same-dates") { $0.replacing("#EXT-X-PLAYLIST", with: date + "#EXT-X-PLAYLIST") },
        .all("same-date-ranges") { index in
            date + "#EXT-X-DATERANGE:ID=\"\(index)\",START-DATE=\"2026-01-01T00:00:00.000Z\"\n"
        },
        .all("same-control") { index in
            index == 0 ? "#EXT-X-SERVER-CONTROL:HOLD-BACK=20\n" : "#EXT-X-SERVER-CONTROL:HOLD-BACK=30\n"
        },
        .all(
            "session-key-same",
            { _ in key },
            head: "#EXT-X-SESSION-KEY:METHOD=AES-256-GCM,URI=\"k\"\n"
        ),
        .all("start-same", { _ in "#EXT-X-START:TIME-OFFSET=3\n" }, head: "#EXT-X-START:TIME-OFFSET=2\n"),
        .all("start-again", { _ in "#EXT-X-START:TIME-OFFSET=2.0\n" }, head: "#EXT-X-START:TIME-OFFSET=2\n"),
        .variants("independent-again", "#EXT-X-VERSION:6\n", "#EXT-X-VERSION:6\n#EXT-X-INDEPENDENT-SEGMENTS\n"),
        .presentation("reports-given") { subject in
            for index in subject.media.indices {
                let name = subject.media[index].uri
                subject.media[index].subject = MediaSubject(document: Good.document(Good.liveText, name: name))
            }
        },
        .transport("bitrate-true") { subject in
            let text = Good.transportText.replacing("#EXTINF:5", with: "#EXT-X-BITRATE:700\n#EXTINF:5")
            subject.document = Good.document(text)
        },
    ]
}
