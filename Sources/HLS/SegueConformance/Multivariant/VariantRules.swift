internal import SegueBase
internal import SeguePlaylists

/// The rules on the variants of a multivariant playlist.
enum VariantRules {
    static let all: [Check<MultivariantSubject>] = [
        bandwidth, uri, codecs, codecsTrue, resolution, frameRate, audioOnlyVariant, average, independent, videoRange,
        captions,
    ]

    private static func tags(_ subject: MultivariantSubject) -> [(line: PlaylistDocument.Line, list: RawAttributes)] {
        subject.document.lists("#EXT-X-STREAM-INF")
    }

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (Variant) -> Message?
    ) -> [Violation] {
        subject.playlist.variants.enumerated().violations { number, variant in
            message(variant).map { Violation(subject.place(ofVariant: number), $0) }
        }
    }

    static let bandwidth = Check<MultivariantSubject>(
        Rule(
            "bandwidth",
            in: .multivariant,
            clauses: "R4.3.4.2, R4.3.4.3, B4.4.6.2, B4.4.6.3",
            .must,
            requires: "each variant has BANDWIDTH",
            fix: "add BANDWIDTH"
        )
    ) { subject in
        (tags(subject) + subject.document.lists("#EXT-X-I-FRAME-STREAM-INF"))
            .lazy.filter { Int($0.list["BANDWIDTH"] ?? "") ?? 0 <= 0 }.violations {
                let message: Message = $0.list["BANDWIDTH"] == nil ? "BANDWIDTH is missing" : "BANDWIDTH is not above 0"
                return Violation(subject.document.place(line: $0.line.number), message)
            }
    }

    static let uri = Check<MultivariantSubject>(
        Rule(
            "variant-uri",
            in: .multivariant,
            clauses: "R4.3.4.2, B4.4.6.2",
            .must,
            requires: "the variant's URI follows #EXT-X-STREAM-INF",
            fix: "add the URI on the next line"
        )
    ) { subject in
        // Comments and unknown tags may be in between.
        guard subject.document.has("#EXT-X-STREAM-INF") else { return [] }
        let lines = subject.document.lines.filter { line in
            line.isURI || line.tag.map(SyntaxRules.ofEither.contains) == true
        }
        return lines.indices.violations { index in
            guard lines[index].tag == "#EXT-X-STREAM-INF", index + 1 == lines.count || !lines[index + 1].isURI else {
                return nil
            }
            return Violation(subject.document.place(line: lines[index].number), "no URI follows #EXT-X-STREAM-INF")
        }
    }

    static let codecs = Check<MultivariantSubject>(
        Rule(
            "codecs",
            in: .multivariant,
            clauses: "R4.3.4.2 should, B4.4.6.2 should, A9.1",
            .must,
            requires: "each variant has CODECS",
            fix: "add CODECS; FFmpeg: -master_pl_name writes the multivariant playlist with CODECS"
        )
    ) { subject in
        each(subject) { $0.codecs.isEmpty ? "CODECS is missing" : nil }
    }

    static let codecsTrue = Check<MultivariantSubject>(
        Rule(
            "codecs-true",
            in: .multivariant,
            clauses: "R6.2.4, B6.2.4, A9.1",
            .must,
            requires: "CODECS matches the formats of the segments",
            fix: "write the codecs of all segments, advertisements included"
        )
    ) { subject in
        each(subject) { variant in
            guard !variant.codecs.isEmpty, let all = subject.subject(variant.uri)?.segments, let first = all.first,
                first.failure == nil
            else { return nil }
            let media = first.tracks.filter { $0.kind == .video || $0.kind == .audio }
            let missing = all.lazy.compactMap { segment -> (segment: SegmentFacts, track: TrackFacts)? in
                let other = segment.tracks.first { track in
                    (track.kind == .video || track.kind == .audio)
                        && !variant.codecs.contains { CodecName.agree($0, track) }
                }
                return other.map { (segment, $0) }
            }.first
            if let missing, let found = missing.track.shown {
                let number = missing.segment.number
                let place: Message = number == 0 ? "the segments contain" : "segment \(number) contains"
                return "\(place) \(found), CODECS is \(variant.codecs.joined(separator: ","))"
            }
            let hasVideo = media.contains { $0.kind == .video }
            let saysVideo = Self.hasVideo(variant, subject)
            guard hasVideo != saysVideo, variant.videoGroup == nil else { return nil }
            return hasVideo
                ? "the segments contain video, CODECS names none" : "CODECS names video, the segments contain none"
        }
    }

    private static func hasVideo(_ variant: Variant, _ subject: MultivariantSubject) -> Bool {
        variant.codecs.contains(where: subject.document.videoCodecs.contains)
    }

    static let resolution = Check<MultivariantSubject>(
        Rule(
            "resolution",
            in: .multivariant,
            clauses: "A9.2",
            .must,
            requires: "each video variant has RESOLUTION",
            fix: "add RESOLUTION"
        )
    ) { subject in
        each(subject) { hasVideo($0, subject) && $0.resolution == nil ? "RESOLUTION is missing" : nil }
    }

    static let frameRate = Check<MultivariantSubject>(
        Rule(
            "frame-rate",
            in: .multivariant,
            clauses: "A9.15",
            .must,
            requires: "each video variant has FRAME-RATE",
            fix: "add FRAME-RATE"
        )
    ) { subject in
        each(subject) { hasVideo($0, subject) && $0.frameRate == nil ? "FRAME-RATE is missing" : nil }
    }

    static let audioOnlyVariant = Check<MultivariantSubject>(
        Rule(
            "sound-variant",
            in: .multivariant,
            clauses: "A9.2",
            .must,
            requires: "an audio-only variant has neither RESOLUTION nor FRAME-RATE",
            fix: "remove the attributes"
        )
    ) { subject in
        each(subject) { variant in
            guard !variant.codecs.isEmpty, !hasVideo(variant, subject) else { return nil }
            if variant.resolution != nil { return "RESOLUTION occurs on an audio-only variant" }
            return variant.frameRate == nil ? nil : "FRAME-RATE occurs on an audio-only variant"
        }
    }

    static let average = Check<MultivariantSubject>(
        Rule(
            "average-bandwidth",
            in: .multivariant,
            clauses: "A9.14",
            .must,
            requires: "each variant has AVERAGE-BANDWIDTH",
            fix: "add AVERAGE-BANDWIDTH"
        )
    ) { subject in
        each(subject) { $0.averageBandwidth == nil ? "AVERAGE-BANDWIDTH is missing" : nil }
    }

    static let videoRange = Check<MultivariantSubject>(
        Rule(
            "video-range",
            in: .multivariant,
            clauses: "B4.4.6.2, A9.16",
            .must,
            requires: "a PQ or HLG variant has the matching VIDEO-RANGE",
            fix: "add VIDEO-RANGE"
        )
    ) { subject in
        each(subject) { variant in
            let tracks = subject.subject(variant.uri)?.segments.first?.tracks ?? []
            guard let found = tracks.compactMap(\.videoRange).first, variant.videoRange != found else { return nil }
            return "the video is \(found), VIDEO-RANGE is \(variant.videoRange ?? "missing")"
        }
    }

    static let independent = Check<MultivariantSubject>(
        Rule(
            "independent",
            in: .multivariant,
            clauses: "A9.11, A9.12 must",
            .should,
            requires: "#EXT-X-INDEPENDENT-SEGMENTS is present where all segments are independent",
            fix: "add #EXT-X-INDEPENDENT-SEGMENTS; FFmpeg: -hls_flags independent_segments"
        )
    ) { subject in
        let media = subject.media.map(\.subject).filter { $0.segments.contains { $0.startsWithIDR != nil } }
        let heads = media.flatMap { $0.segments.compactMap { $0.startsOpen ? false : $0.startsWithIDR } }
        guard !heads.isEmpty, heads.allSatisfy({ $0 }), !subject.playlist.isIndependent,
            !media.allSatisfy(\.playlist.isIndependent)
        else { return [] }
        return [
            Violation(
                subject.document.place(),
                "#EXT-X-INDEPENDENT-SEGMENTS is missing; each segment can be decoded without others"
            )
        ]
    }

    static let captions = Check<MultivariantSubject>(
        Rule(
            "captions-none",
            in: .multivariant,
            clauses: "R4.3.4.2, B4.4.6.2",
            .must,
            requires: "either all variants have CLOSED-CAPTIONS=NONE, or none has",
            fix: "write CLOSED-CAPTIONS on all variants, NONE if no variant has captions"
        )
    ) { subject in
        let groups = subject.playlist.variants.map(\.closedCaptionsGroup)
        guard groups.contains("NONE"), let other = groups.firstIndex(where: { $0 != "NONE" }) else { return [] }
        return [Violation(subject.place(ofVariant: other), "CLOSED-CAPTIONS=NONE is missing, another variant has it")]
    }
}
