internal import SegueBase
internal import SeguePlaylists

/// The rules on what segments hold, one after the other.
enum ContentRules {
    static let all: [Check<MediaSubject>] = [repeated, keyframes, hasKeyframe, hasMedia, sequence]

    /// A segment is not the one before it again.
    static let repeated = Check<MediaSubject>(
        Rule("segment-repeated", "R3, B3", .must, "no segment has the bytes of another, unless it begins anew")
    ) { subject in
        guard !subject.playlist.isIFramesOnly else { return [] }
        return MediaLine(subject).runs.flatMap { run in
            var seen: [UInt64: Int] = [:]
            return run.compactMap { point -> Violation? in
                guard let digest = point.segment.digest, point.segment.failure == nil else { return nil }
                guard let former = seen[digest] else {
                    seen[digest] = point.segment.number
                    return nil
                }
                return Violation(subject.place(point.segment), "its bytes are those of segment \(former)")
            }
        }
    }

    /// Decoding may begin every two seconds.
    static let keyframes = Check<MediaSubject>(
        Rule("keyframe-interval", "A1.13", .should, "key frames come every two seconds")
    ) { subject in
        guard !subject.playlist.isIFramesOnly else { return [] }
        return subject.segments.compactMap { segment in
            guard let track = segment.tracks.first(where: { $0.kind == .video }), let start = track.start,
                let keyframes = track.keyframes, let last = track.last
            else { return nil }
            let times = keyframes.map { MediaLine.near($0 - start) }.sorted() + [MediaLine.near(last - start)]
            let widest = zip(times.dropFirst(), times).map { $0 - $1 }.max()
            guard let widest, widest > Rational(2) + Rational(1, 10) else { return nil }
            return Violation(subject.place(segment), "\(Shown.seconds(widest)) pass without a key frame")
        }
    }

    /// Decoding may begin somewhere.
    static let hasKeyframe = Check<MediaSubject>(
        Rule("keyframe-there", "R3, B3", .should, "a segment with H.264 has an IDR picture")
    ) { subject in
        subject.segments.compactMap { segment in
            guard let track = segment.tracks.first(where: { $0.kind == .video }),
                ["h264", "hevc"].contains(track.codec),
                let keyframes = track.keyframes, keyframes.isEmpty, track.samples ?? 0 > 0,
                segment.startsWithIDR != true
            else { return nil }
            return Violation(subject.place(segment), "it has no key frame")
        }
    }

    /// A segment holds something.
    static let hasMedia = Check<MediaSubject>(
        Rule("segment-media", "own", .advice, "a segment has media")
    ) { subject in
        subject.segments.compactMap { segment in
            guard segment.failure == nil, let layout = segment.layout, layout != .webVTT,
                segment.tracks.allSatisfy({ $0.samples == 0 })
            else { return nil }
            return Violation(subject.place(segment), "it has no picture and no sound")
        }
    }

    /// Fragments are counted.
    static let sequence = Check<MediaSubject>(
        Rule("moof-sequence", "M14496-12", .must, "the numbers of fragments rise")
    ) { subject in
        // CMAF leaves the numbers open.
        guard !subject.isCMAF else { return [] }
        return subject.neighbours.compactMap { former, next in
            guard let before = former.sequence, let after = next.sequence, after.lowerBound <= before.upperBound else {
                return nil
            }
            return Violation(
                subject.place(next),
                "a fragment has the number \(after.lowerBound) after \(before.upperBound)"
            )
        }
    }
}
