internal import SegueBase
internal import SeguePlaylists

/// The rules that compare declared closed captions with those in the video.
enum CaptionRules {
    static let all: [Check<MultivariantSubject>] = [denied, absent]

    /// The captions of a variant's segments; nil if it has none that were inspected.
    private static func captions(_ subject: MultivariantSubject, _ variant: Variant) -> Set<String>? {
        guard let media = subject.subject(variant.uri), !media.segments.isEmpty else { return nil }
        return media.segments.reduce(into: Set<String>()) { $0.formUnion($1.captions) }
    }

    static let denied = Check<MultivariantSubject>(
        Rule(
            "captions-denied",
            in: .coding,
            clauses: "own",
            .advice,
            requires: "the video of a variant with CLOSED-CAPTIONS=NONE has no closed captions",
            fix: "declare the captions with #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS, or remove them; x264 in FFmpeg: -a53cc 0"
        )
    ) { subject in
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard variant.closedCaptionsGroup == "NONE", let found = captions(subject, variant), !found.isEmpty else {
                return nil
            }
            let names = found.sorted().joined(separator: ", ")
            return Violation(
                subject.place(ofVariant: number),
                "the video has closed captions (\(names)), CLOSED-CAPTIONS is NONE"
            )
        }
    }

    static let absent = Check<MultivariantSubject>(
        Rule(
            "captions-absent",
            in: .coding,
            clauses: "own",
            .advice,
            requires: "the closed captions of INSTREAM-ID are in the video of a finished playlist",
            fix: "correct INSTREAM-ID, or remove the rendition; viewers otherwise choose captions that never appear"
        )
    ) { subject in
        let lines = subject.document.lists("#EXT-X-MEDIA").filter { $0.list["TYPE"] == "CLOSED-CAPTIONS" }
        return subject.playlist.variants.enumerated().flatMap { number, variant -> [Violation] in
            guard let group = variant.closedCaptionsGroup, let media = subject.subject(variant.uri),
                media.playlist.hasEndList, media.segments.count == media.playlist.segments.count,
                media.segments.allSatisfy({ $0.failure == nil }),
                // The units of other codecs, and of encrypted frames, are not read.
                media.segments.allSatisfy({ segment in
                    segment.tracks.contains { ["h264", "hevc"].contains($0.codec) && !$0.isEncrypted }
                }), let found = captions(subject, variant)
            else { return [] }
            return lines.filter { $0.list["GROUP-ID"] == group }.compactMap { _, list in
                guard let channel = list["INSTREAM-ID"], !found.contains(channel) else { return nil }
                let language = list["LANGUAGE"].map { " (\($0))" } ?? ""
                let others = found.isEmpty ? "none" : found.sorted().joined(separator: ", ")
                return Violation(
                    subject.place(ofVariant: number),
                    "the video has no captions of \(channel)\(language), which its group declares; it has \(others)"
                )
            }
        }
    }
}
