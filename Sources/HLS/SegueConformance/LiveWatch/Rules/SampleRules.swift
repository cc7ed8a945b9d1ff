internal import SegueBase
internal import SeguePlaylists

/// The rules on the media of sampled segments, besides those of a validation.
package enum SampleRules {
    package static let segmentWhole = Rule(
        "live-segment-whole",
        in: .live,
        clauses: "R6.2.1, B6.2.1",
        .must,
        requires: "a listed segment contains at least half of the duration in #EXTINF",
        fix: "list a segment only after it is uploaded, and check for full disks and caches of incomplete responses"
    )
    package static let black = Rule(
        "live-media-black",
        in: .live,
        clauses: "own",
        .advice,
        requires: "the video is not black throughout two consecutive samples",
        fix: "check the encoder's input"
    )
    package static let frozen = Rule(
        "live-media-frozen",
        in: .live,
        clauses: "own",
        .advice,
        requires: "the video does not stand still throughout two consecutive samples",
        fix: "check the encoder's input"
    )
    package static let silent = Rule(
        "live-media-silent",
        in: .live,
        clauses: "own",
        .advice,
        requires: "the audio is not silent throughout two consecutive samples",
        fix: "check the encoder's input and the audio mapping"
    )
    package static let captions = Rule(
        "live-captions",
        in: .live,
        clauses: "own",
        .advice,
        requires: "closed captions that the video had, or that INSTREAM-ID declares, appear within three minutes",
        fix: "check the caption input of the encoder, and that ad insertion passes captions on"
    )
    package static let loudness = Rule(
        "live-loudness",
        in: .live,
        clauses: "own",
        .advice,
        requires: "all renditions are equally loud within 6 dB, unless the stream carries loudness metadata",
        fix: "check the gain and the downmix of this rendition"
    )
    package static let adBreak = Rule(
        "live-ad-break",
        in: .live,
        clauses: "own",
        .advice,
        requires: "in a stream whose marked ad breaks are replaced, each starts with #EXT-X-DISCONTINUITY",
        fix: "check the ad decision server, and the timeouts of the ad insertion"
    )
    package static let rateLimited = Rule(
        "live-rate-limited",
        in: .live,
        clauses: "own",
        .advice,
        requires: "the server accepts the requests of a watch (no 429)",
        fix: "lower --rate, or raise the server's limit for this client"
    )

    static let all = [segmentWhole, black, frozen, silent, captions, loudness, adBreak, rateLimited]

    /// Returns a breach if a segment contains less than half of its duration.
    static func whole(_ segment: SegmentFacts, stated: Double, number: Int) -> [Breach] {
        let media = segment.tracks.filter { $0.kind == .video || $0.kind == .audio }
        let lengths = media.map { track -> Double? in
            if let duration = track.duration { return duration.seconds }
            guard let start = track.start, let last = track.last, let samples = track.samples, samples > 1 else {
                return nil
            }
            // The last packet lasts as long as the average one.
            return (last - start).seconds * Double(samples) / Double(samples - 1)
        }
        guard stated >= 1, !lengths.isEmpty, !lengths.contains(nil),
            let longest = lengths.compactMap(\.self).max(), longest < stated / 2
        else { return [] }
        let comparison = Comparison(
            "of the segment, \(segment.size) bytes arrived, which last",
            longest,
            expected: .equal(stated),
            unit: .seconds,
            origin: "by #EXTINF"
        )
        return [Breach(segmentWhole, comparison, segment: number)]
    }
}
