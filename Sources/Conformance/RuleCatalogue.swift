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
                ("UTF-8, no BOM, no control characters", ["utf-8", "byte-order-mark", "control-characters"]),
                ("media type or suffix", ["playlist-type"]),
                ("lines and attribute lists well formed, no duplicates", ["attribute-list", "duplicate-attribute"]),
                ("media and multivariant tags never mixed", ["mixed-tags"]),
                ("#EXT-X-VERSION once and high enough", ["version-once", "version-enough"]),
                ("every URI resolves; media never redirected", ["uri-resolves", "media-redirected"]),
                ("whatever else a strict parser refuses", ["playlist-readable"]),
            ]
        ),
        Section(
            title: "Media playlist",
            demands: [
                ("one target duration, no #EXTINF above it", ["target-once", "target-holds"]),
                ("measured length at most 0.5 s above it", ["duration-bound"]),
                (
                    "#EXTINF above 0 and true, alone and in sum",
                    ["duration-given", "duration-positive", "duration-true", "duration-sum"]
                ),
                ("VOD says so, ends, and stays the same", ["vod-type", "vod-end", "vod-unchanged"]),
                ("sequence numbers before the first segment", ["sequence-first"]),
                ("segments of about 6 s, no tail under 0.1 s", ["segment-length", "sliver"]),
                ("fMP4 covered by #EXT-X-MAP", ["map-needed"]),
                ("byte ranges in bounds", ["range-offset", "range-bounds"]),
                ("#EXT-X-DISCONTINUITY where needed", ["discontinuity-needed", "coding-continues"]),
                ("dates and the place to begin", ["date-range", "date-time", "start-inside"]),
            ]
        ),
        Section(
            title: "Multivariant playlist",
            demands: [
                ("BANDWIDTH and URI", ["bandwidth", "variant-uri"]),
                ("CODECS always and true", ["codecs", "codecs-true", "codecs-complete"]),
                (
                    "RESOLUTION and FRAME-RATE on video variants only",
                    ["resolution", "frame-rate", "sound-variant"]
                ),
                ("AVERAGE-BANDWIDTH", ["average-bandwidth"]),
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
                ("captions declared", ["member-captions", "captions-none"]),
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
            title: "HTTP",
            demands: [
                ("playlists packed when accepted, with Vary", ["playlist-gzip", "vary"]),
                ("HEAD equals GET", ["head-equals-get"]),
                (
                    "ranges 206/416, several at once, If-Range",
                    ["range-206", "ranges-multipart", "range-416", "if-range"]
                ),
                ("strong ETag, 304", ["entity-tag", "not-modified"]),
                ("media types", ["segment-type"]),
                ("unknown segment 404 at once", ["missing-404", "missing-at-once"]),
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
                ("low latency keeps what it promises", LiveRules.lowLatency.map(\.id)),
            ]
        ),
    ]

    /// Every rule: those that one look finds broken, and those of live streams.
    package static var rules: [Rule] { Validator.rules + LiveRules.all }

    /// The tables as Markdown.
    package static var markdown: String {
        let rules = Dictionary(Self.rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return sections.map { section in
            let rows = section.demands.flatMap { demand in
                demand.rules.compactMap { rules[$0] }.map { rule in
                    "| `\(rule.id)` | \(words(rule)) | \(rule.demand) | \(demand.text) |\n"
                }
            }
            return """
                ### \(section.title)

                | rule | clause and its word | demands that | stands for |
                |---|---|---|---|

                """ + rows.joined()
        }.joined(separator: "\n")
    }

    /// The clauses with what each says, in short.
    private static func words(_ rule: Rule) -> String {
        rule.clauses.map { clause in
            clause.text == .own ? "own: advice" : "\(clause) \(clause.severity == .must ? "must" : "should")"
        }.joined(separator: ", ")
    }
}
