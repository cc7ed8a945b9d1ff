/// Every rule under the demand that it stands for, for the page of documentation.
package enum RuleCatalogue {
    /// What is demanded of one part of a presentation.
    package struct Section: Sendable {
        /// Its title.
        package let title: String
        /// Each demand with the names of the rules that check it.
        package let demands: [(text: String, rules: [String])]
    }

    /// All sections; each rule is in one of them, once.
    package static let sections = [
        Section(
            title: "Syntax",
            demands: [
                ("first line #EXTM3U", ["first-line"]),
                (
                    "UTF-8 in NFC, no BOM, no control characters, no stray white space",
                    [
                        "utf-8", "byte-order-mark", "control-characters", "composed", "white-space", "line-ends",
                        "last-line", "uri-form",
                    ]
                ),
                ("media type or suffix", ["playlist-type"]),
                (
                    "lines and attribute lists well formed, no duplicates",
                    ["attribute-list", "duplicate-attribute", "empty-string", "list-once", "tag-value", "tag-once"]
                ),
                (
                    "each tag with what it needs, each value of its form",
                    PlaylistGrammar.tags.sorted { $0.key < $1.key }.map(\.value.rule)
                ),
                (
                    "variables defined, once, and known where they are used",
                    [
                        "variable-defined", "variable-once", "import-place", "import-known", "query-known",
                        "query-value",
                        "variable-alone",
                    ]
                ),
                ("media and multivariant tags never mixed", ["mixed-tags"]),
                (
                    "#EXT-X-VERSION once, high enough and no higher",
                    ["version-once", "version-enough", "version-unneeded"]
                ),
                ("every URI resolves; media never redirected", ["uri-resolves", "media-redirected"]),
                ("whatever else a strict parser refuses", ["playlist-readable", "playlist-names"]),
            ]
        ),
        Section(
            title: "Media playlist",
            demands: [
                ("one target duration, no #EXTINF above it", ["target-once", "target-least", "target-holds"]),
                ("measured length at most 0.5 s above it", ["duration-bound"]),
                (
                    "#EXTINF above 0 and true, alone and in sum",
                    [
                        "duration-given", "duration-form", "duration-comma", "duration-positive", "duration-true",
                        "duration-sum",
                    ]
                ),
                ("VOD says so, ends, and stays the same", ["vod-type", "vod-end", "vod-unchanged"]),
                ("sequence numbers before the first segment", ["sequence-first"]),
                ("segments of about 6 s, no tail under 0.1 s", ["segment-length", "sliver"]),
                ("fMP4 covered by #EXT-X-MAP", ["map-needed"]),
                ("byte ranges in bounds", ["range-offset", "range-bounds", "map-range-offset"]),
                ("bit rates as announced", ["bitrate-true"]),
                ("#EXT-X-DISCONTINUITY where needed", ["discontinuity-needed", "coding-continues"]),
                (
                    "dates told exactly, each of one segment",
                    ["date-time", "date-time-zone", "date-time-order", "date-time-again"]
                ),
                ("a place to begin that is there", ["start-inside", "start-live"]),
                (
                    "live playlists long enough, with dates",
                    ["live-date", "live-segments", "live-window", "live-discontinuities"]
                ),
            ]
        ),
        Section(
            title: "Date ranges",
            demands: [
                ("dates to lie on", ["date-range", "date-range-zone", "date-range-beyond"]),
                (
                    "start, end and length that agree",
                    [
                        "date-range-start", "date-range-end", "date-range-length", "date-range-sum", "date-range-next",
                        "date-range-overlap", "date-range-same",
                    ]
                ),
                ("values that all can read", ["date-range-cue", "date-range-values"]),
                (
                    "interstitials, what is loaded early, splices",
                    [
                        "interstitial-asset", "interstitial-attributes", "preload-range", "splice-length",
                        "splice-pair", "splice-direction", "interstitial-id", "interstitial-query",
                    ]
                ),
            ]
        ),
        Section(
            title: "Keys and session data",
            demands: [
                (
                    "keys whole, vectors where they belong",
                    [
                        "key-uri", "key-none", "key-vector", "key-vector-method", "key-versions", "map-vector",
                        "key-secure",
                    ]
                ),
                (
                    "session keys true and once",
                    [
                        "session-key-none", "session-key-once", "session-key-same", "session-key-used",
                        "session-key-given",
                    ]
                ),
                ("session data whole and once", ["session-data-value", "session-data-once", "session-data-name"]),
                (
                    "FairPlay as Apple has it",
                    ["fairplay-format", "fairplay-method", "fairplay-vector", "counter-mode", "hdcp-given"]
                ),
            ]
        ),
        Section(
            title: "Parts",
            demands: [
                (
                    "parts within their bounds",
                    [
                        "part-inf", "part-longest", "part-shortest", "part-sum", "part-ranges", "part-order",
                        "part-iframes", "parts-announced",
                    ]
                ),
                (
                    "distances that players can keep",
                    [
                        "part-hold-back", "hold-back-least", "part-hold-back-least", "part-hold-back-enough",
                    ]
                ),
                ("playlists that can be waited for", ["block-reload"]),
                (
                    "delta updates of what is old",
                    ["skip-window", "skip-ranges-window", "delta-offered", "delta-ranges", "skip-place"]
                ),
                (
                    "hints and reports",
                    [
                        "hint-ended", "hint-once", "hint-given", "hint-last", "report-relative", "report-known",
                        "reports-given",
                    ]
                ),
            ]
        ),
        Section(
            title: "Multivariant playlist",
            demands: [
                (
                    "BANDWIDTH and URI, of a media playlist",
                    ["bandwidth", "variant-uri", "variant-once", "child-media"]
                ),
                (
                    "CODECS always, well formed and true",
                    ["codecs", "codecs-form", "codecs-once", "codecs-true", "codecs-complete"]
                ),
                (
                    "RESOLUTION and FRAME-RATE on video variants only",
                    ["resolution", "frame-rate", "sound-variant"]
                ),
                ("AVERAGE-BANDWIDTH, no more than BANDWIDTH", ["average-bandwidth", "average-above"]),
                ("BANDWIDTH and average within 10 % of what is measured", ["bandwidth-true", "average-true"]),
                ("largest combination", ["bandwidth-largest", "average-largest"]),
                ("INDEPENDENT-SEGMENTS when true", ["independent"]),
                ("VIDEO-RANGE unless SDR", ["video-range"]),
                (
                    "groups exist, members unique, one default, language given",
                    [
                        "group-exists", "member-names", "member-default", "member-language", "member-uri",
                        "member-autoselect", "member-forced", "member-channels",
                    ]
                ),
                (
                    "what members say, of its form",
                    ["channels-form", "language-form", "characteristics-form", "member-sound-only"]
                ),
                (
                    "members that can be told apart, groups alike",
                    ["member-alike", "group-members", "group-attributes"]
                ),
                (
                    "descriptions, forced subtitles and those for the deaf can be chosen",
                    ["description-autoselect", "deaf-characteristics", "deaf-autoselect", "forced-autoselect"]
                ),
                ("captions declared", ["member-captions", "member-stream", "captions-none"]),
                (
                    "what else variants say, of its form",
                    ["score-all", "supplemental-codecs", "video-layout", "video-layout-needed", "allowed-cpc"]
                ),
                ("names that last", ["stable-id", "stable-id-same"]),
                ("steering", ["pathway-known", "steering-pathway", "steering-manifest", "steering-clone"]),
                (
                    "Apple's codecs, levels and rates",
                    [
                        "h264-level", "h264-profile", "hevc-level", "av1-level", "dolby-profile", "video-codec",
                        "sound-codec", "channels-joc-form", "frame-rate-usual", "peak-average", "apac-level",
                        "sample-entries", "frame-rate-most", "stereo-layout",
                        "aspect",
                    ]
                ),
                (
                    "something for every device",
                    [
                        "video-rates", "highest-rates", "h264-given", "h264-modest", "hevc-modest", "iframe-h264",
                        "sdr-given", "aac-given", "ac3-given",
                        "iframe-given", "sdr-iframes",
                    ]
                ),
                (
                    "I-frame lists right",
                    [
                        "iframe-uri", "iframe-attributes", "iframe-described", "iframe-only", "iframe-picture",
                        "iframe-bandwidth",
                    ]
                ),
            ]
        ),
        Section(
            title: "Across renditions",
            demands: [
                ("same start and range", ["same-start", "same-range"]),
                (
                    "same kind, dates and server",
                    ["same-type", "same-dates", "same-date-ranges", "date-ranges-everywhere", "same-control"]
                ),
                (
                    "what is said of all said once",
                    ["start-same", "start-again", "independent-again"]
                ),
                ("same target duration", ["same-target"]),
                ("same discontinuities", ["same-discontinuities"]),
                ("same boundaries", ["same-boundaries"]),
            ]
        ),
        Section(
            title: "Segments",
            demands: [
                ("of a format that HLS knows", ["segment-readable"]),
                ("continuous with the one before", ["ts-continuous", "tfdt-continuous"]),
                ("TS counters sequential across borders", ["ts-packets", "ts-counters", "ts-counters-across"]),
                ("DTS rising, PCR continuous", ["ts-decode-times", "ts-clock"]),
                ("PAT then PMT first", ["ts-tables"]),
                (
                    "init with iso6 or later, no samples, no zero durations, mvex",
                    ["init-readable", "init-brand", "init-samples", "init-mvex", "init-tracks", "sample-durations"]
                ),
                ("video starts with an IDR", ["starts-with-idr"]),
                ("packed audio with its timestamp", ["packed-audio-time"]),
                ("one audio stream a segment", ["one-sound"]),
                ("HEVC, AV1, FLAC, ALAC only in fMP4", ["codec-container"]),
                ("WebVTT timestamps and cues complete", ["webvtt-map", "webvtt-cues", "webvtt-complete"]),
                ("stripped variant has no trace of video", ["sound-alone"]),
            ]
        ),
        Section(
            title: "Coding",
            demands: [
                ("names in CODECS, none too many", ["codecs-present", "codecs-imsc", "member-inside"]),
                (
                    "parameter sets in the sample entry, and those that pictures need",
                    ["entry-parameters", "parameters-agree", "parameters-there"]
                ),
                ("HE-AAC said by itself", ["sbr-explicit"]),
                ("RESOLUTION true", ["resolution-true", "iframe-resolution-true", "entry-size"]),
                ("CODECS of I-frames true", ["iframe-codecs-true"]),
                ("FRAME-RATE true, pictures progressive", ["frame-rate-true", "progressive"]),
                ("VIDEO-RANGE true", ["video-range-true", "entry-colour"]),
                ("CHANNELS true", ["channels-true", "channels-joc"]),
                ("sound and picture that can be decoded", ["segment-decodes"]),
                ("all sound equally loud", ["loudness-equal"]),
                ("key frames every 2 s, and in each segment", ["keyframe-interval", "keyframe-there"]),
            ]
        ),
        Section(
            title: "Timeline",
            demands: [
                ("sound and picture together", ["sound-with-picture", "sound-pace"]),
                ("renditions on one line to the end", ["same-line"]),
                ("no drift between playlist and media", ["duration-drift"]),
                ("dates run on and agree", ["date-time-runs", "date-time-agrees"]),
                ("subtitles on the media's clock", ["webvtt-time"]),
                ("no segment twice, none empty", ["segment-repeated", "segment-media"]),
            ]
        ),
        Section(
            title: "Encryption",
            demands: [
                ("key and vector as AES-128 needs them", ["key-length"]),
                ("whole blocks, right padding", ["cipher-blocks", "cipher-padding"]),
                ("encrypted where said, and said where encrypted", ["cipher-used", "sample-encryption", "key-given"]),
                ("encrypted samples can be decrypted", ["sample-vectors"]),
            ]
        ),
        Section(
            title: "Transport streams",
            demands: [
                ("tables right, one program", ["ts-checksum", "ts-one-program", "ts-packet-ids", "ts-stream-type"]),
                (
                    "clock references often, and ahead of what they time",
                    ["ts-clock-interval", "ts-clock-interval-sound", "ts-clock-ahead"]
                ),
                ("packets whole and in order", ["ts-shown-after-decoded", "ts-packet-length"]),
                ("neither damaged nor scrambled", ["ts-damaged", "ts-scrambled"]),
            ]
        ),
        Section(
            title: "Fragmented MP4",
            demands: [
                (
                    "fragments with their time, addressed from themselves",
                    ["tfdt-there", "moof-addressing", "moof-sequence"]
                ),
                (
                    "data where they are said to be",
                    ["sample-data", "sample-units", "moof-mdat", "sample-offsets", "sidx-size"]
                ),
                ("tracks of the initialization", ["track-known", "same-timescale"]),
                (
                    "initialization in order, without time and data of its own",
                    ["init-ftyp", "init-mvex-last", "init-duration", "init-external", "init-edits"]
                ),
            ]
        ),
        Section(
            title: "HTTP",
            demands: [
                ("playlists packed when accepted, with Vary", ["playlist-gzip", "vary"]),
                ("HEAD equals GET", ["head-equals-get"]),
                (
                    "ranges 206/416, several at once, If-Range",
                    ["range-206", "ranges-multipart", "range-416", "if-range"]
                ),
                ("strong ETag, 304", ["entity-tag", "entity-tag-true", "not-modified", "not-modified-unasked"]),
                ("media types", ["segment-type", "type-fits"]),
                ("unknown segment 404 at once", ["missing-404", "missing-at-once"]),
                ("what comes is what was asked for, whole", ["body-kind", "body-whole", "size-bound"]),
                ("encodings true, and only where asked for", ["encoding-true", "encoding-unasked", "media-gzip"]),
                ("parts that the playlist names", ["content-range", "range-length"]),
                ("the same again, at once", ["same-again", "first-byte"]),
                ("redirects and TLS", ["redirects-end", "redirect-secure", "certificate", "mixed-content"]),
                ("pages of other sites", ["cors-everywhere", "cors-value", "cors-vary"]),
                (
                    "caches told what fits",
                    ["live-cache", "live-lag", "segment-expires", "vod-cache", "stale", "last-modified"]
                ),
                ("HTTP/2 for low latency", ["http-2"]),
                ("tokens and credentials", ["token-carried", "open-media", "uri-user"]),
                ("URIs that lead over HTTP, by plain paths", ["uri-scheme", "uri-dots"]),
            ]
        ),
        Section(
            title: "Live",
            demands: [
                ("a playlist changes as it may", LiveRules.changes.map(\.id)),
                ("news in time, and no old answers", LiveRules.times.map(\.id)),
                ("segments are there, and stay", LiveRules.segments.map(\.id)),
                ("dates and date ranges go on", LiveRules.dates.map(\.id)),
                ("variants and renditions in step", LiveRules.renditions.map(\.id)),
                ("a multivariant playlist that stays true", LiveRules.multivariant.map(\.id)),
                ("low latency keeps what it promises", LiveRules.lowLatency.map(\.id)),
            ]
        ),
    ]

    /// Every rule: those that one look finds broken, and those of live streams.
    package static var rules: [Rule] { Validator.rules + LiveRules.all }
}
