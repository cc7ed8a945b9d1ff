internal import SegueBase
internal import SeguePlaylists

/// The rules on the variants of a multivariant playlist.
enum VariantRules {
    static let all: [Check<MultivariantSubject>] = [
        bandwidth, uri, codecs, codecsTrue, resolution, frameRate, noPicture, average, independent, videoRange,
        captions,
    ]

    private static func tags(_ subject: MultivariantSubject) -> [(line: PlaylistDocument.Line, list: RawAttributes)] {
        subject.document.lists("#EXT-X-STREAM-INF")
    }

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (Variant) -> String?
    ) -> [Violation] {
        subject.playlist.variants.enumerated().violations { number, variant in
            message(variant).map { Violation(subject.place(ofVariant: number), $0) }
        }
    }

    /// Each variant says what it needs.
    static let bandwidth = Check<MultivariantSubject>(
        Rule("bandwidth", "R4.3.4.2, R4.3.4.3, B4.4.6.2, B4.4.6.3", .must, "each variant has BANDWIDTH")
    ) { subject in
        (tags(subject) + subject.document.lists("#EXT-X-I-FRAME-STREAM-INF"))
            .lazy.filter { Int($0.list["BANDWIDTH"] ?? "") ?? 0 <= 0 }.violations {
                let trouble = $0.list["BANDWIDTH"] == nil ? "it has no BANDWIDTH" : "BANDWIDTH is not above 0"
                return Violation(subject.document.place(line: $0.line.number), trouble)
            }
    }

    /// Each variant is somewhere.
    static let uri = Check<MultivariantSubject>(
        Rule("variant-uri", "R4.3.4.2, B4.4.6.2", .must, "the line after #EXT-X-STREAM-INF is the variant's URI")
    ) { subject in
        // Comments, and tags that nobody knows, are as good as not there.
        guard subject.document.has("#EXT-X-STREAM-INF") else { return [] }
        let lines = subject.document.lines.filter { line in
            line.isURI || line.tag.map(SyntaxRules.ofEither.contains) == true
        }
        return lines.indices.violations { index in
            guard lines[index].tag == "#EXT-X-STREAM-INF", index + 1 == lines.count || !lines[index + 1].isURI else {
                return nil
            }
            return Violation(subject.document.place(line: lines[index].number), "no URI follows it")
        }
    }

    /// Each variant says its codecs.
    static let codecs = Check<MultivariantSubject>(
        Rule("codecs", "R4.3.4.2 should, B4.4.6.2 should, A9.1", .must, "each variant has CODECS")
    ) { subject in
        each(subject) { $0.codecs.isEmpty ? "it has no CODECS" : nil }
    }

    /// Codecs are what the parameter sets say.
    static let codecsTrue = Check<MultivariantSubject>(
        Rule("codecs-true", "R6.2.4, B6.2.4, A9.1", .must, "CODECS is what the segments have")
    ) { subject in
        each(subject) { variant in
            guard !variant.codecs.isEmpty, let all = subject.subject(variant.uri)?.segments, let first = all.first,
                first.failure == nil
            else { return nil }
            let media = first.tracks.filter { $0.kind == .video || $0.kind == .audio }
            let missing = all.lazy.flatMap(\.tracks).filter { $0.kind == .video || $0.kind == .audio }
                .first { track in !variant.codecs.contains { CodecName.agree($0, track) } }
            if let found = missing?.shown {
                return "the segments have \(found), CODECS is \(variant.codecs.joined(separator: ","))"
            }
            let hasVideo = media.contains { $0.kind == .video }
            let saysVideo = Self.hasVideo(variant, subject)
            guard hasVideo != saysVideo, variant.videoGroup == nil else { return nil }
            return hasVideo ? "the segments have video, CODECS has none" : "CODECS has video, the segments have none"
        }
    }

    private static func hasVideo(_ variant: Variant, _ subject: MultivariantSubject) -> Bool {
        variant.codecs.contains(where: subject.document.videoCodecs.contains)
    }

    /// Video says how large it is.
    static let resolution = Check<MultivariantSubject>(
        Rule("resolution", "A9.2", .must, "each variant with video has RESOLUTION")
    ) { subject in
        each(subject) { hasVideo($0, subject) && $0.resolution == nil ? "it has no RESOLUTION" : nil }
    }

    /// Video says how fast it is.
    static let frameRate = Check<MultivariantSubject>(
        Rule("frame-rate", "A9.15", .must, "each variant with video has FRAME-RATE")
    ) { subject in
        each(subject) { hasVideo($0, subject) && $0.frameRate == nil ? "it has no FRAME-RATE" : nil }
    }

    /// Sound has no size.
    static let noPicture = Check<MultivariantSubject>(
        Rule("sound-variant", "A9.2", .must, "a variant of sound alone has neither RESOLUTION nor FRAME-RATE")
    ) { subject in
        each(subject) { variant in
            guard !variant.codecs.isEmpty, !hasVideo(variant, subject) else { return nil }
            return variant.resolution == nil && variant.frameRate == nil ? nil : "it has RESOLUTION or FRAME-RATE"
        }
    }

    /// Each variant says what it needs on average.
    static let average = Check<MultivariantSubject>(
        Rule("average-bandwidth", "A9.14", .must, "each variant has AVERAGE-BANDWIDTH")
    ) { subject in
        each(subject) { $0.averageBandwidth == nil ? "it has no AVERAGE-BANDWIDTH" : nil }
    }

    /// What is not the standard range says so.
    static let videoRange = Check<MultivariantSubject>(
        Rule("video-range", "B4.4.6.2, A9.16", .must, "a variant of PQ or HLG has VIDEO-RANGE that says so")
    ) { subject in
        each(subject) { variant in
            let tracks = subject.subject(variant.uri)?.segments.first?.tracks ?? []
            guard let found = tracks.compactMap(\.videoRange).first, variant.videoRange != found else { return nil }
            return "its video is \(found), VIDEO-RANGE is \(variant.videoRange ?? "missing")"
        }
    }

    /// What can be decoded by itself is said to be.
    static let independent = Check<MultivariantSubject>(
        Rule("independent", "A9.11, A9.12 must", .should, "#EXT-X-INDEPENDENT-SEGMENTS stands where it is true")
    ) { subject in
        let media = subject.media.map(\.subject).filter { $0.segments.contains { $0.startsWithIDR != nil } }
        let heads = media.flatMap { $0.segments.compactMap(\.startsWithIDR) }
        guard !heads.isEmpty, heads.allSatisfy({ $0 }), !subject.playlist.isIndependent,
            !media.allSatisfy(\.playlist.isIndependent)
        else { return [] }
        return [Violation(subject.document.place(), "each segment begins with an IDR picture, and it does not say so")]
    }

    /// Either some say which captions they have, or all that they have none.
    static let captions = Check<MultivariantSubject>(
        Rule("captions-none", "R4.3.4.2, B4.4.6.2", .must, "CLOSED-CAPTIONS=NONE stands with all variants or with none")
    ) { subject in
        let groups = subject.playlist.variants.map(\.closedCaptionsGroup)
        guard groups.contains("NONE"), let other = groups.firstIndex(where: { $0 != "NONE" }) else { return [] }
        return [Violation(subject.place(ofVariant: other), "it has not CLOSED-CAPTIONS=NONE, another variant has")]
    }
}
