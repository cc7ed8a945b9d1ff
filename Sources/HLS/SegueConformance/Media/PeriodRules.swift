internal import SegueBase
internal import SeguePlaylists

/// The rules on the periods between discontinuities, such as advertisements.
enum PeriodRules {
    static let all: [Check<MultivariantSubject>] = [sameTracks, sizes]

    static let sizes = Check<MultivariantSubject>(
        Rule(
            "resolution-everywhere",
            in: .coding,
            clauses: "own",
            .advice,
            requires: "the video of each period between discontinuities has the size in RESOLUTION",
            fix: "encode advertisements at the sizes of the variants; some players rebuild the decoder at a new size"
        )
    ) { subject in
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let stated = variant.resolution, let own = subject.subject(variant.uri) else { return nil }
            let sizes = own.segments.lazy.compactMap { segment -> (number: Int, setup: CodingSetup)? in
                let setup = segment.tracks.first { $0.kind == .video }?.setup
                return setup.flatMap { $0.size == nil ? nil : (segment.number, $0) }
            }
            // resolution-true reports a size that occurs nowhere.
            guard sizes.contains(where: { StreamRules.isSize(stated, of: $0.setup) }),
                let other = sizes.first(where: { !StreamRules.isSize(stated, of: $0.setup) }),
                let size = other.setup.size
            else { return nil }
            let message: Message =
                "RESOLUTION is \(value: stated), the video of segment \(other.number) is \(value: size)"
            return Violation(subject.place(ofVariant: number), message)
        }
    }

    static let sameTracks = Check<MultivariantSubject>(
        Rule(
            "same-tracks",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4",
            .must,
            requires: "between two discontinuities, all multiplexed variants contain audio and video, or none does",
            fix: "add the track to the variant's advertisement, silence if need be; FFmpeg: -f lavfi -i anullsrc"
        )
    ) { subject in
        // The audio of a group replaces that of the segments.
        var known: Set<String> = []
        let variants = subject.playlist.variants.enumerated().compactMap { number, variant in
            variant.audioGroup == nil && variant.videoGroup == nil && known.insert(variant.uri).inserted
                ? subject.subject(variant.uri).map { (number: number, media: $0, runs: contents($0)) } : nil
        }
        return variants.flatMap { number, media, runs in
            [SegmentTrack.Kind.video, .audio].compactMap { kind -> Violation? in
                // Another rule reports a variant that never contains the track.
                guard runs.values.contains(where: { $0.kinds.contains(kind) }) else { return nil }
                let lacking = runs.sorted { $0.key < $1.key }.lazy.compactMap { run, content -> Violation? in
                    guard !content.kinds.contains(kind),
                        let other = variants.first(where: { $0.runs[run]?.kinds.contains(kind) == true })
                    else { return nil }
                    let message: Message =
                        "variant \(number + 1) contains no \(kind == .audio ? "audio" : "video") from here to the next "
                        + "discontinuity, variant \(other.number + 1) does"
                    return Violation(media.place(content.first), message)
                }
                return lacking.first
            }
        }
    }

    /// The kinds of the tracks with samples between two discontinuities, by the number of the discontinuity.
    private static func contents(
        _ subject: MediaSubject
    ) -> [Int: (first: SegmentFacts, kinds: Set<SegmentTrack.Kind>)] {
        var contents: [Int: (first: SegmentFacts, kinds: Set<SegmentTrack.Kind>)] = [:]
        for point in MediaLine(subject).points where point.segment.failure == nil {
            let kinds = point.segment.tracks.filter { $0.samples != 0 }.map(\.kind)
            contents[point.run, default: (point.segment, [])].kinds.formUnion(kinds)
        }
        return contents
    }
}
