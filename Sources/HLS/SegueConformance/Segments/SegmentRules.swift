internal import SegueBase
internal import SeguePlaylists

/// The rules on segments in any container.
enum SegmentRules {
    static let all: [Check<MediaSubject>] = [
        readable, mapNeeded, rangeBounds, startsWithIDR, oneAudioStream, container, audioOnly, discontinuity,
        codingContinues, packedTime,
    ]

    static let readable = Check<MediaSubject>(
        Rule(
            "segment-readable",
            in: .segments,
            clauses: "R3.1",
            .must,
            requires: "each segment has a format that HLS defines",
            fix: "package the segment as fMP4, MPEG-TS, packed audio, or WebVTT"
        )
    ) { subject in
        // Segments under unknown keys cannot be read.
        subject.segments.filter { !subject.mayHaveSkippedKeys($0) }.compactMap { segment in
            segment.failure.map { Violation(subject.place(segment), $0) }
        }
    }

    /// A difference of times, corrected for a wrap of the 33-bit 90 kHz clock.
    static func unwrapped(_ difference: Rational) -> Rational {
        let wrap = Rational(1 << 33, 90_000)
        return difference < -(wrap / Rational(2)) ? difference + wrap : difference
    }

    static let mapNeeded = Check<MediaSubject>(
        Rule(
            "map-needed",
            in: .mediaPlaylist,
            clauses: "R3.3, A8.20",
            .must,
            requires: "each fMP4 segment has an #EXT-X-MAP",
            fix: "add #EXT-X-MAP"
        )
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard segment.layout == .fragmentedMP4, entry.map == nil, !subject.mayHaveSkippedMap(segment) else {
                return nil
            }
            return Violation(subject.place(segment), "#EXT-X-MAP is missing for a fragmented MP4 segment")
        }
    }

    static let rangeBounds = Check<MediaSubject>(
        Rule(
            "range-bounds",
            in: .mediaPlaylist,
            clauses: "R4.3.2.2",
            .must,
            requires: "byte ranges lie within their resources",
            fix: "correct the byte range"
        )
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard let range = entry.byteRange, segment.size != Int(range.length) else { return nil }
            let comparison = Comparison(
                "the byte range from \(range.offset) returned",
                Double(segment.size),
                expected: .equal(Double(range.length)),
                unit: .bytes
            )
            return Violation(subject.place(segment), comparison)
        }
    }

    static let startsWithIDR = Check<MediaSubject>(
        Rule(
            "starts-with-idr",
            in: .segments,
            clauses: "A7.4",
            .must,
            requires:
                "the video of a segment starts with a keyframe: for H.264 an IDR frame, for HEVC an IDR, CRA, or BLA frame",
            fix: "cut segments at such frames; FFmpeg: do not set -hls_flags split_by_time",
            players: .breaks(
                "Chromium rejects the segment and stops; GStreamer and mpv stall; VLC plays",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        subject.segments.filter { $0.startsWithIDR == false }.map {
            Violation(subject.place($0), "the first frame needs earlier frames")
        }
    }

    static let oneAudioStream = Check<MediaSubject>(
        Rule(
            "one-sound",
            in: .segments,
            clauses: "A2.17",
            .must,
            requires: "a segment has at most one audio stream",
            fix: "move the other audio to its own rendition; FFmpeg: -var_stream_map with agroup"
        )
    ) { subject in
        subject.segments.compactMap { segment in
            let count = segment.tracks.count { $0.kind == .audio }
            return count > 1
                ? Violation(subject.place(segment), "the segment has \(count) audio streams, expected 1") : nil
        }
    }

    static let container = Check<MediaSubject>(
        Rule(
            "codec-container",
            in: .segments,
            clauses: "A1.5, A2.25",
            .must,
            requires: "HEVC, AV1, FLAC, and ALAC are in fragmented MP4",
            fix: "package the stream as fMP4; FFmpeg: -hls_segment_type fmp4; GStreamer: hlscmafsink"
        )
    ) { subject in
        subject.segments.filter { $0.layout == .transportStream }.compactMap { segment in
            let found = segment.tracks.first { ["hevc", "av1", "flac", "alac"].contains($0.codec) }
            return found.map { Violation(subject.place(segment), "the transport stream contains \($0.codec)") }
        }
    }

    static let audioOnly = Check<MediaSubject>(
        Rule(
            "sound-alone",
            in: .segments,
            clauses: "own",
            .advice,
            requires: "an audio-only rendition contains no video",
            fix: "remove the video track; FFmpeg: -vn"
        )
    ) { subject in
        guard subject.isAudioOnly else { return [] }
        let ofSegments = subject.segments.compactMap { segment in
            segment.tracks.first { $0.kind == .video }.map {
                Violation(subject.place(segment), "the segment has a \($0.codec) track")
            }
        }
        let ofInitializations = subject.initializations.compactMap { facts in
            facts.tracks.first { $0.kind == .video }.map {
                Violation(Place(url: facts.url), "the initialization section has a \($0.codec) track")
            }
        }
        return ofInitializations + ofSegments
    }

    /// A sentence about streams that end or begin at a segment.
    private static func change(from before: [String], to after: [String]) -> Message {
        let (lost, new) = (missing(before, in: after), missing(after, in: before))
        if new.isEmpty { return "the segment has no \(lost.joined(separator: ", ")), the previous segment has" }
        if lost.isEmpty { return "the segment has \(new.joined(separator: ", ")), the previous segment has not" }
        return "the codecs change from \(before.joined(separator: ", ")) to \(after.joined(separator: ", "))"
    }

    /// The codecs of one list that another one does not contain as often.
    private static func missing(_ codecs: [String], in others: [String]) -> [String] {
        var rest = others
        return codecs.filter { codec in
            guard let index = rest.firstIndex(of: codec) else { return true }
            rest.remove(at: index)
            return false
        }
    }

    static let discontinuity = Check<MediaSubject>(
        Rule(
            "discontinuity-needed",
            in: .mediaPlaylist,
            clauses: "R4.3.2.3, A8.13",
            .must,
            requires: "a change of codecs, tracks, or their PIDs follows #EXT-X-DISCONTINUITY",
            fix:
                "add #EXT-X-DISCONTINUITY, or keep the tracks and PIDs: find the stream that the encoder lost; FFmpeg: -streamid sets PIDs"
        )
    ) { subject in
        subject.neighbours.compactMap { former, next in
            codecChange(from: former, to: next).map { Violation(subject.place(next), $0) }
        }
    }

    /// The change of the codecs, or of a transport stream's PIDs, from one segment to a later one; nil for none.
    static func codecChange(from former: SegmentFacts, to next: SegmentFacts) -> Message? {
        guard former.layout != .fragmentedMP4 else { return nil }
        let tracks = [former, next].map { $0.tracks.filter { $0.kind != .metadata } }
        let codecs = tracks.map { $0.map(\.codec).sorted() }
        guard codecs[0] == codecs[1] else { return change(from: codecs[0], to: codecs[1]) }
        guard former.layout == .transportStream, next.layout == .transportStream else { return nil }
        let numbers = tracks.map { $0.map(\.number).sorted() }
        guard numbers[0] != numbers[1] else { return nil }
        let lists = numbers.map { $0.map(String.init).joined(separator: ", ") }
        return "the PIDs change from \(lists[0]) to \(lists[1])"
    }

    static let codingContinues = Check<MediaSubject>(
        Rule(
            "coding-continues",
            in: .mediaPlaylist,
            clauses: "R4.3.2.3, B4.4.4.3",
            .should,
            requires: "a change of coding parameters follows #EXT-X-DISCONTINUITY",
            fix: "add #EXT-X-DISCONTINUITY where the encoder restarts or an advertisement begins"
        )
    ) { subject in
        subject.neighbours.compactMap { former, next in
            codingChange(from: former, to: next).map { Violation(subject.place(next), $0) }
        }
    }

    /// The change of the coding parameters from one segment to a later one; nil for none.
    static func codingChange(from former: SegmentFacts, to next: SegmentFacts) -> Message? {
        let changed = next.tracks.first { track in
            guard let coding = track.coding, coding != 0,
                let before = former.tracks.first(where: { $0.number == track.number })?.coding, before != 0
            else { return false }
            return coding != before
        }
        return changed.map { track in
            "the \(track.kind == .video ? "parameter sets" : "coding parameters") of \(track.codec) change"
        }
    }

    static let packedTime = Check<MediaSubject>(
        Rule(
            "packed-audio-time",
            in: .segments,
            clauses: "R3.4, B3.1.3",
            .must,
            requires: "packed audio starts with an ID3 tag that carries its timestamp",
            fix: "write the PRIV frame com.apple.streaming.transportStreamTimestamp"
        )
    ) { subject in
        subject.segments.filter { $0.layout == .packedAudio && $0.mainTrack?.start == nil }.map {
            Violation(subject.place($0), "the segment has no ID3 timestamp")
        }
    }
}
