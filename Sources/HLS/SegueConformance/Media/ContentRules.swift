internal import SegueBase
internal import SeguePlaylists

/// The rules on the content of consecutive segments.
enum ContentRules {
    static let all: [Check<MediaSubject>] = [repeated, keyframes, hasKeyframe, hasMedia, sequence]

    static let repeated = Check<MediaSubject>(
        Rule(
            "segment-repeated",
            in: .timeline,
            clauses: "R3, B3",
            .must,
            requires: "no segment repeats the bytes of another without a discontinuity between them",
            fix: "check the packager for segments that are written twice"
        )
    ) { subject in
        guard !subject.playlist.isIFramesOnly else { return [] }
        return MediaLine(subject).runs.flatMap { run in
            var seen: [UInt64: MediaLine.Point] = [:]
            let offsets = run.compactMap(\.offset).sorted()
            let usual = offsets.isEmpty ? nil : offsets[offsets.count / 2]
            return run.compactMap { point -> Violation? in
                guard let digest = point.segment.digest, point.segment.failure == nil else { return nil }
                guard let former = seen[digest] else {
                    seen[digest] = point
                    return nil
                }
                return repeated(point, former, usual: usual, in: subject)
            }
        }
    }

    /// The violation by two segments with the same bytes, at the one whose timestamps do not fit its place.
    private static func repeated(
        _ point: MediaLine.Point,
        _ former: MediaLine.Point,
        usual: Rational?,
        in subject: MediaSubject
    ) -> Violation {
        func error(_ point: MediaLine.Point) -> Rational? {
            guard let usual, let offset = point.offset else { return nil }
            return MediaLine.near(offset - usual).magnitude
        }
        guard let here = error(point), let there = error(former), here != there else {
            return Violation(
                subject.place(point.segment),
                "the bytes equal those of segment \(former.segment.number)"
            )
        }
        let (wrong, right) = here > there ? (point, former) : (former, point)
        return Violation(
            subject.place(wrong.segment),
            "segment \(wrong.segment.number) has the content of segment \(right.segment.number)"
        )
    }

    static let keyframes = Check<MediaSubject>(
        Rule(
            "keyframe-interval",
            in: .coding,
            clauses: "A1.13",
            .should,
            requires: "keyframes are at most two seconds apart",
            fix:
                "set the encoder's keyframe interval to two seconds; FFmpeg: -force_key_frames expr:gte(t,n_forced*2); GStreamer: x264enc key-int-max"
        )
    ) { subject in
        guard !subject.playlist.isIFramesOnly else { return [] }
        return subject.segments.compactMap { segment in
            guard let track = segment.tracks.first(where: { $0.kind == .video }), let start = track.start,
                let keyframes = track.keyframes, let last = track.last
            else { return nil }
            let times = keyframes.map { MediaLine.near($0 - start) }.sorted() + [MediaLine.near(last - start)]
            let widest = zip(times.dropFirst(), times).map { $0 - $1 }.max()
            guard let widest, widest > Rational(2) + Rational(1, 10) else { return nil }
            return Violation(
                subject.place(segment),
                Comparison("the longest keyframe interval is", widest.seconds, expected: .atMost(2), unit: .seconds)
            )
        }
    }

    static let hasKeyframe = Check<MediaSubject>(
        Rule(
            "keyframe-there",
            in: .coding,
            clauses: "R3, B3",
            .should,
            requires: "each segment contains a keyframe: for H.264 an IDR frame, for HEVC an IDR, CRA, or BLA frame",
            fix:
                "cut segments at such frames; FFmpeg: -force_key_frames expr:gte(t,n_forced*6) with -hls_time 6; GStreamer: x264enc key-int-max"
        )
    ) { subject in
        subject.segments.compactMap { segment in
            guard let track = segment.tracks.first(where: { $0.kind == .video }),
                ["h264", "hevc"].contains(track.codec),
                let keyframes = track.keyframes, keyframes.isEmpty, track.samples ?? 0 > 0,
                segment.startsWithIDR != true
            else { return nil }
            return Violation(subject.place(segment), "the segment has no keyframe")
        }
    }

    static let hasMedia = Check<MediaSubject>(
        Rule(
            "segment-media",
            in: .timeline,
            clauses: "own",
            .advice,
            requires: "each segment contains audio, video, or subtitles",
            fix: "remove the empty segment"
        )
    ) { subject in
        subject.segments.compactMap { segment in
            guard segment.failure == nil, let layout = segment.layout, layout != .webVTT,
                segment.tracks.allSatisfy({ $0.samples == 0 })
            else { return nil }
            return Violation(subject.place(segment), "the segment contains neither video nor audio")
        }
    }

    static let sequence = Check<MediaSubject>(
        Rule(
            "moof-sequence",
            in: .fragmentedMP4,
            clauses: "M14496-12",
            .must,
            requires: "the sequence numbers of movie fragments increase",
            fix: "number the fragments consecutively in mfhd"
        )
    ) { subject in
        // CMAF does not define the numbers.
        guard !subject.isCMAF else { return [] }
        return subject.neighbours.compactMap { former, next in
            guard let before = former.sequence, let after = next.sequence, after.lowerBound <= before.upperBound else {
                return nil
            }
            return Violation(
                subject.place(next),
                "fragment number \(after.lowerBound) follows number \(before.upperBound)"
            )
        }
    }
}
