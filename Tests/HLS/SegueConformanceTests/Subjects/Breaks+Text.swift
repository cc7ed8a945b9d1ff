import SegueBase
import SegueConformance

/// Violations of the rules on tags and attributes of media playlists.
extension Break {
    /// A good playlist of transport streams with lines before its last segment, and another version.
    static func lines(_ rule: String, version: Int = 3, _ lines: String...) -> Break {
        Break(rule: rule) {
            let text = Good.transportText.replacing("VERSION:3", with: "VERSION:\(version)")
                .replacing("#EXTINF:5", with: lines.map { $0 + "\n" }.joined() + "#EXTINF:5")
            return Validator.findings(MediaSubject(document: Good.document(text)))
        }
    }

    /// A good live playlist with every occurrence of a part of its text replaced.
    static func live(_ rule: String, _ old: String, _ new: String) -> Break {
        Break(rule: rule) {
            Validator.findings(MediaSubject(document: Good.document(Good.liveText.replacing(old, with: new))))
        }
    }

    /// A good playlist with its text changed.
    static func altered(
        _ rule: String,
        _ good: String = Good.transportText,
        _ change: @escaping @Sendable (String) -> String
    ) -> Break {
        Break(rule: rule) { Validator.findings(MediaSubject(document: Good.document(change(good)))) }
    }

    /// A good multivariant playlist with a line before its variants.
    static func head(_ rule: String, version: Int = 6, _ lines: String...) -> Break {
        .variants(
            rule,
            "#EXT-X-VERSION:6\n",
            "#EXT-X-VERSION:\(version)\n" + lines.map { $0 + "\n" }.joined()
        )
    }

    private static let control = "#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=6"
    private static let partInf = "#EXT-X-PART-INF:PART-TARGET=2"
    private static let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z"
    private static let begin = "START-DATE=\"2026-01-01T00:00:00.000Z\""

    static let attributes: [Break] = [
        .lines("start-attributes", "#EXT-X-START:PRECISE=YES"),
        .lines("define-attributes", "#EXT-X-DEFINE:NAME=\"a\""),
        .lines("define-attributes", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\",IMPORT=\"c\""),
        .lines("define-attributes", "#EXT-X-DEFINE:NAME=\"ä\",VALUE=\"b\""),
        .lines("part-inf-attributes", control, "#EXT-X-PART-INF:X-A=1"),
        .lines("server-control-attributes", "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=NO"),
        .lines("key-attributes", "#EXT-X-KEY:METHOD=AES-256,URI=\"k\""),
        .lines("key-attributes", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12"),
        .master("session-key-attributes") { $0 + "#EXT-X-SESSION-KEY:METHOD=AES-256,URI=\"k\"\n" },
        .lines("map-attributes", version: 6, "#EXT-X-MAP:BYTERANGE=\"5@0\""),
        .lines("part-attributes", control, partInf, "#EXT-X-PART:DURATION=2"),
        .lines("part-attributes", control, partInf, "#EXT-X-PART:DURATION=2,URI=\"a\",INDEPENDENT=NO"),
        .lines("date-range-attributes", date, "#EXT-X-DATERANGE:\(begin)"),
        .lines("date-range-attributes", date, "#EXT-X-DATERANGE:ID=\"a\",\(begin),CUE=\"NEVER\""),
        .lines("date-range-attributes", date, "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-02-30T00:00:00.000Z\""),
        .altered("skip-place") {
            $0.replacing("#EXT-X-MEDIA-SEQUENCE:0", with: "#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXT-X-MEDIA-SEQUENCE:0")
                .replacing("VERSION:3", with: "VERSION:9")
        },
        .lines("skip-attributes", version: 9, "#EXT-X-SKIP:X-A=1"),
        .live("hint-attributes", "TYPE=PART,URI=\"152.1.m4s\"", "TYPE=PART"),
        .live("hint-attributes", "TYPE=PART,", "TYPE=\"PART\","),
        .lines("report-attributes", "#EXT-X-RENDITION-REPORT:LAST-MSN=1"),
        .variants("media-attributes", "NAME=\"Deutsch\",", ""),
        .variants("media-attributes", "DEFAULT=YES", "DEFAULT=TRUE"),
        .variants("variant-attributes", "RESOLUTION=640x360", "RESOLUTION=\"640x360\""),
        .variants("variant-attributes", "BANDWIDTH=1750000,", "BANDWIDTH=1750000,VIDEO-RANGE=HDR,"),
        .variants("iframe-variant-attributes", "RESOLUTION=640x360,URI", "RESOLUTION=640x360,HDCP-LEVEL=TYPE-9,URI"),
        .head("session-data-attributes", "#EXT-X-SESSION-DATA:VALUE=\"b\""),
        .head("steering-attributes", "#EXT-X-CONTENT-STEERING:PATHWAY-ID=\".\""),
        .lines("empty-string", "#EXT-X-KEY:METHOD=AES-128,URI=\"\""),
        .text("tag-value", "#EXT-X-VERSION:3", "#EXT-X-VERSION:99"),
        .text("tag-value", "TYPE:VOD", "TYPE:LIVE"),
        .text("tag-value", "SEQUENCE:0", "SEQUENCE:-1"),
        .lines("tag-value", version: 4, "#EXT-X-BYTERANGE:10@"),
        .text("tag-once", "#EXT-X-ENDLIST\n", "#EXT-X-ENDLIST\n#EXT-X-ENDLIST\n"),
        .lines(
            "interstitial-attributes",
            date,
            "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\",\(begin),X-ASSET-URI=\"http://a?_HLS_interstitial_id=a\",X-SNAP=\"UP\""
        ),
    ]

    /// A playlist with lines before its last segment, checked with more than its text.
    private static func document(
        _ rule: String,
        version: Int,
        _ line: String,
        _ make: @escaping @Sendable ([UInt8]) -> PlaylistDocument
    ) -> Break {
        Break(rule: rule) {
            let text = Good.transportText.replacing("VERSION:3", with: "VERSION:\(version)")
                .replacing("#EXTINF:5", with: line + "\n#EXTINF:5")
            return Validator.findings(MediaSubject(document: make(Array(text.utf8))))
        }
    }

    static let variables: [Break] = [
        .head("import-place", "#EXT-X-DEFINE:IMPORT=\"a\""),
        .lines("variable-once", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"c\""),
        .lines("variable-defined", version: 8, "#EXT-X-KEY:METHOD=AES-128,URI=\"a{$b}\""),
        .document("import-known", version: 3, "#EXT-X-DEFINE:IMPORT=\"a\"") {
            PlaylistDocument(url: Good.base + "index.m3u8", bytes: $0, importing: ["b": "c"])
        },
        .document("query-known", version: 11, "#EXT-X-DEFINE:QUERYPARAM=\"a\"") {
            PlaylistDocument(url: Good.base + "index.m3u8?b=c", bytes: $0, http: Good.resource(.playlist))
        },
        .document("query-value", version: 11, "#EXT-X-DEFINE:QUERYPARAM=\"a\"") {
            PlaylistDocument(url: Good.base + "index.m3u8?a=%22", bytes: $0)
        },
        .lines("variable-alone", "#EXT-X-DEFINE:IMPORT=\"a\""),
    ]

    static let keys: [Break] = [
        .lines("key-secure", "#EXT-X-KEY:METHOD=AES-128,URI=\"http://h/k\""),
        .lines(
            "fairplay-vector",
            version: 5,
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\",IV=0x1"
        ),
        .lines("key-uri", "#EXT-X-KEY:METHOD=AES-128"),
        .lines("key-none", "#EXT-X-KEY:METHOD=NONE,URI=\"k\""),
        .lines("key-vector", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x" + String(repeating: "0", count: 33)),
        .lines("key-vector-method", "#EXT-X-KEY:METHOD=AES-256-GCM,URI=\"k\",IV=0x1"),
        .lines("key-versions", version: 5, "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=\"1,2\""),
        .lines("map-vector", version: 6, "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-MAP:URI=\"init.mp4\""),
        .lines("map-range-offset", version: 6, "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"10\""),
        .head("session-key-none", "#EXT-X-SESSION-KEY:METHOD=NONE"),
        .master("session-key-once") {
            $0 + String(repeating: "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n", count: 2)
        },
        .head("session-data-value", "#EXT-X-SESSION-DATA:DATA-ID=\"a.b\""),
        .head("session-data-value", "#EXT-X-SESSION-DATA:DATA-ID=\"a.b\",VALUE=\"c\",URI=\"d\""),
        .head(
            "session-data-once",
            "#EXT-X-SESSION-DATA:DATA-ID=\"a.b\",VALUE=\"c\",LANGUAGE=\"en\"",
            "#EXT-X-SESSION-DATA:DATA-ID=\"a.b\",VALUE=\"d\",LANGUAGE=\"en\""
        ),
        .head("session-data-name", "#EXT-X-SESSION-DATA:DATA-ID=\"title\",VALUE=\"c\""),
        .lines("fairplay-format", version: 5, "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\""),
        .lines(
            "fairplay-method",
            version: 5,
            "#EXT-X-KEY:METHOD=AES-128,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
        ),
        .lines("counter-mode", "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"k\""),
    ]

    /// Date ranges in a playlist that has a date.
    private static func ranges(_ rule: String, _ lists: String...) -> Break {
        Break(rule: rule) {
            let text = Good.transportText.replacing(
                "#EXTINF:5",
                with: date + "\n" + lists.map { "#EXT-X-DATERANGE:\($0)\n" }.joined() + "#EXTINF:5"
            )
            return Validator.findings(MediaSubject(document: Good.document(text)))
        }
    }

    static let dateRanges: [Break] = [
        .ranges("date-range-start", "ID=\"a\",DURATION=1"),
        .ranges("date-range-length", "ID=\"a\",\(begin),DURATION=-1"),
        .ranges("date-range-length", "ID=\"a\",\(begin),PLANNED-DURATION=-0.5"),
        .ranges("date-range-end", "ID=\"a\",\(begin),END-DATE=\"2025-12-31T23:59:59.000Z\""),
        .ranges("date-range-end", "ID=\"a\",\(begin),END-DATE=\"2026-01-01T00:30:00.000+01:00\""),
        .ranges("date-range-sum", "ID=\"a\",\(begin),DURATION=7", "ID=\"a\",END-DATE=\"2026-01-01T00:00:08.000Z\""),
        .ranges("date-range-next", "ID=\"a\",\(begin),END-ON-NEXT=YES"),
        .ranges("date-range-next", "ID=\"a\",CLASS=\"c\",\(begin),END-ON-NEXT=YES,DURATION=1"),
        .ranges(
            "date-range-overlap",
            "ID=\"a\",CLASS=\"c\",\(begin),DURATION=10",
            "ID=\"b\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:05.000Z\",END-ON-NEXT=YES"
        ),
        .ranges("date-range-same", "ID=\"a\",\(begin),X-A=\"b\"", "ID=\"a\",X-A=\"c\""),
        .ranges("date-range-cue", "ID=\"a\",\(begin),CUE=\"PRE,POST\""),
        .ranges("date-range-values", "ID=\"a\",\(begin),X-A=YES"),
        .ranges("date-range-zone", "ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\""),
        .ranges("interstitial-asset", "ID=\"a\",\(begin),CLASS=\"com.apple.hls.interstitial\""),
        .ranges(
            "preload-range",
            "ID=\"a\",\(begin),CLASS=\"com.apple.hls.preload\",X-URI=\"b\",X-TARGET-ID=\"c\",DURATION=1"
        ),
        .ranges("list-once", "ID=\"a\",\(begin),CUE=\"PRE,ONCE,PRE\""),
        .ranges(
            "splice-direction",
            "ID=\"a\",\(begin),SCTE35-OUT=0xFC302000000000000000FFF00F05000000017F5FFE00A4CB80000100000000"
        ),
        .ranges("interstitial-id", "ID=\"a\",\(begin),CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"http://h/a\""),
        .ranges(
            "interstitial-query",
            "ID=\"a\",\(begin),CLASS=\"com.apple.hls.interstitial\","
                + "X-ASSET-URI=\"http://h/a?_HLS_interstitial_id=a&_HLS_mine=1\""
        ),
        .ranges("splice-pair", "ID=\"a\",\(begin),SCTE35-IN=0xFC,DURATION=1"),
        .ranges("date-range-beyond", "ID=\"a\",START-DATE=\"2026-01-01T01:00:00.000Z\""),
        .ranges("splice-length", "ID=\"a\",\(begin),SCTE35-OUT=0xFC", "ID=\"a\",SCTE35-IN=0xFC"),
    ]

    static let times: [Break] = [
        .lines("date-time", "#EXT-X-PROGRAM-DATE-TIME:yesterday"),
        .lines("date-time-zone", "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000"),
        .text(
            "date-time-order",
            "#EXTINF:6.000000,\n1.ts\n",
            date + "\n#EXTINF:6.000000,\n1.ts\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:04.000Z\n"
        ),
        .text(
            "date-time-again",
            "#EXTINF:6.000000,\n1.ts\n",
            date + "\n#EXTINF:6.000000,\n1.ts\n#EXT-X-DISCONTINUITY\n"
        ),
        .live("start-live", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-START:TIME-OFFSET=-12\n#EXT-X-MEDIA-SEQUENCE"),
        .live("live-date", date + "\n", ""),
        .altered("live-segments") {
            $0.replacing("#EXT-X-ENDLIST\n", with: "").replacing("#EXT-X-PLAYLIST-TYPE:VOD", with: date)
        },
        .live("live-window", (30..<150).map { "#EXTINF:6.000000,\n\($0).m4s\n" }.joined(), ""),
        .altered("live-discontinuities", Good.liveText) { text in
            let later = date.replacing("00:00.000", with: "00:54.000")
            return text.replacing("#EXT-X-DISCONTINUITY-SEQUENCE:1\n", with: "")
                .replacing("#EXTINF:6.000000,\n9.m4s", with: "#EXT-X-DISCONTINUITY\n\(later)\n#EXTINF:6.000000,\n9.m4s")
        },
    ]

    static let parts: [Break] = [
        .live("part-inf", "#EXT-X-PART-INF:PART-TARGET=2\n", ""),
        .live("part-hold-back", ",PART-HOLD-BACK=6", ""),
        .live("hold-back-least", "HOLD-BACK=18", "HOLD-BACK=17"),
        .live("part-hold-back-least", "PART-HOLD-BACK=6", "PART-HOLD-BACK=3"),
        .live("part-hold-back-enough", "PART-HOLD-BACK=6", "PART-HOLD-BACK=5"),
        .live("skip-window", "CAN-SKIP-UNTIL=36", "CAN-SKIP-UNTIL=30"),
        .lines("skip-ranges-window", "#EXT-X-SERVER-CONTROL:CAN-SKIP-DATERANGES=YES"),
        .live("part-longest", "DURATION=2,URI=\"150.0.m4s\"", "DURATION=2.01,URI=\"150.0.m4s\""),
        .live("part-shortest", "DURATION=2,URI=\"150.1.m4s\"", "DURATION=1.5,URI=\"150.1.m4s\""),
        .live("part-sum", "DURATION=2,URI=\"151.2.m4s\"", "DURATION=1,URI=\"151.2.m4s\""),
        .altered("part-ranges", Good.liveText) {
            $0.replacing("URI=\"151.0.m4s\"", with: "URI=\"151.m4s\",BYTERANGE=\"1000@0\"")
                .replacing("URI=\"151.1.m4s\"", with: "URI=\"151.m4s\",BYTERANGE=\"1000@999\"")
        },
        .live("part-order", "#EXTINF:6.000000,\n151.m4s", "#EXT-X-KEY:METHOD=NONE\n#EXTINF:6.000000,\n151.m4s"),
        .live("part-iframes", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-I-FRAMES-ONLY\n#EXT-X-MEDIA-SEQUENCE"),
        .live("hint-ended", "URI=\"152.1.m4s\"\n", "URI=\"152.1.m4s\"\n#EXT-X-ENDLIST\n"),
        .live("hint-once", "#EXT-X-PRELOAD-HINT", "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"a\"\n#EXT-X-PRELOAD-HINT"),
        .live("hint-given", "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"152.1.m4s\"\n", ""),
        .live("block-reload", "CAN-BLOCK-RELOAD=YES,", ""),
        .altered("parts-announced", Good.liveText) {
            $0.replacing(/#EXT-X-PART:.*\n/, with: "").replacing(/#EXT-X-PRELOAD-HINT.*\n/, with: "")
        },
        .altered("hint-last", Good.liveText) { text in
            let hint = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"152.1.m4s\"\n"
            return text.replacing(hint, with: "").replacing(
                "#EXTINF:6.000000,\n151",
                with: hint + "#EXTINF:6.000000,\n151"
            )
        },
        .live(
            "report-relative",
            "#EXT-X-PRELOAD-HINT",
            "#EXT-X-RENDITION-REPORT:URI=\"http://h/a\",LAST-MSN=1\n#EXT-X-PRELOAD-HINT"
        ),
        .live("delta-offered", "CAN-SKIP-UNTIL=36,", ""),
        .live(
            "delta-ranges",
            "#EXT-X-PRELOAD-HINT",
            "#EXT-X-DATERANGE:ID=\"a\",\(begin)\n#EXT-X-PRELOAD-HINT"
        ),
    ]
}
