internal import SegueBase
internal import SeguePlaylists

/// The rules on segments in any container.
enum SegmentRules {
    static let all: [Check<MediaSubject>] = [
        readable, mapNeeded, rangeBounds, startsWithIDR, oneSound, container, soundAlone, discontinuity,
        codingGoesOn, packedTime,
    ]

    /// Each segment is of a format that HLS knows.
    static let readable = Check<MediaSubject>(
        Rule("segment-readable", "R3.1", .must, "each segment is of a format that HLS knows")
    ) { subject in
        // What a key encrypts that is not known cannot be read.
        subject.segments.filter { !subject.mayHaveSkippedKeys($0) }.compactMap { segment in
            segment.failure.map { Violation(subject.place(segment), $0) }
        }
    }

    /// A difference of times of a clock that may have wrapped at 33 bits of 90 kHz.
    static func unwrapped(_ difference: Rational) -> Rational {
        let wrap = Rational(1 << 33, 90_000)
        return difference < -(wrap / Rational(2)) ? difference + wrap : difference
    }

    /// Fragments need their initialization.
    static let mapNeeded = Check<MediaSubject>(
        Rule("map-needed", "R3.3, A8.20", .must, "each fMP4 segment is covered by an #EXT-X-MAP")
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard segment.layout == .fragmentedMP4, entry.map == nil, !subject.mayHaveSkippedMap(segment) else {
                return nil
            }
            return Violation(subject.place(segment), "it is fragmented MP4 and has no #EXT-X-MAP")
        }
    }

    /// A byte range lies within its file.
    static let rangeBounds = Check<MediaSubject>(
        Rule("range-bounds", "R4.3.2.2", .must, "byte ranges lie within their resources")
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard let range = entry.byteRange, segment.size != Int(range.length) else { return nil }
            let message = "bytes \(range.offset) and \(range.length) on gave \(segment.size) bytes"
            return Violation(subject.place(segment), message)
        }
    }

    /// Each segment of video can be decoded from its start.
    static let startsWithIDR = Check<MediaSubject>(
        Rule("starts-with-idr", "A7.4", .must, "video in a segment begins with an IDR picture")
    ) { subject in
        subject.segments.filter { $0.startsWithIDR == false }.map {
            Violation(subject.place($0), "its first picture needs others before it")
        }
    }

    /// One sound a segment.
    static let oneSound = Check<MediaSubject>(
        Rule("one-sound", "A2.17", .must, "a segment has at most one audio stream")
    ) { subject in
        subject.segments.compactMap { segment in
            let count = segment.tracks.count { $0.kind == .audio }
            return count > 1 ? Violation(subject.place(segment), "it has \(count) audio streams") : nil
        }
    }

    /// Newer codecs need the newer container.
    static let container = Check<MediaSubject>(
        Rule("codec-container", "A1.5, A2.25", .must, "HEVC, AV1, FLAC and ALAC come in fragmented MP4 only")
    ) { subject in
        subject.segments.filter { $0.layout == .transportStream }.compactMap { segment in
            let found = segment.tracks.first { ["hevc", "av1", "flac", "alac"].contains($0.codec) }
            return found.map { Violation(subject.place(segment), "\($0.codec) is in a transport stream") }
        }
    }

    /// Stripped is stripped.
    static let soundAlone = Check<MediaSubject>(
        Rule("sound-alone", "own", .advice, "a rendition of sound alone has no trace of video")
    ) { subject in
        guard subject.isSoundAlone else { return [] }
        let ofSegments = subject.segments.compactMap { segment in
            segment.tracks.first { $0.kind == .video }.map {
                Violation(subject.place(segment), "it has a track of \($0.codec)")
            }
        }
        let ofInitializations = subject.initializations.compactMap { facts in
            facts.tracks.first { $0.kind == .video }.map {
                Violation(Place(url: facts.url), "the initialization has a track of \($0.codec)")
            }
        }
        return ofInitializations + ofSegments
    }

    /// Where the coding changes, the playlist says so.
    static let discontinuity = Check<MediaSubject>(
        Rule(
            "discontinuity-needed",
            "R4.3.2.3, A8.13",
            .must,
            "other codecs or tracks come after #EXT-X-DISCONTINUITY"
        )
    ) { subject in
        subject.neighbours.compactMap { former, next in
            let before = former.tracks.filter { $0.kind != .metadata }.map(\.codec).sorted()
            let after = next.tracks.filter { $0.kind != .metadata }.map(\.codec).sorted()
            guard former.layout != .fragmentedMP4, before != after else { return nil }
            let message = "it has \(after.joined(separator: ", ")) after \(before.joined(separator: ", "))"
            return Violation(subject.place(next), message)
        }
    }

    /// Where the set-up of a decoder changes, the playlist says so.
    static let codingGoesOn = Check<MediaSubject>(
        Rule(
            "coding-continues",
            "R4.3.2.3, B4.4.4.3",
            .should,
            "other parameters of the coding come after #EXT-X-DISCONTINUITY"
        )
    ) { subject in
        subject.neighbours.compactMap { former, next in
            let changed = next.tracks.first { track in
                guard let coding = track.coding, coding != 0,
                    let before = former.tracks.first(where: { $0.number == track.number })?.coding, before != 0
                else { return false }
                return coding != before
            }
            return changed.map { Violation(subject.place(next), "\($0.codec) goes on with other parameters") }
        }
    }

    /// Packed audio says when it is.
    static let packedTime = Check<MediaSubject>(
        Rule(
            "packed-audio-time",
            "R3.4, B3.1.3",
            .must,
            "packed audio begins with an ID3 tag that has its timestamp"
        )
    ) { subject in
        subject.segments.filter { $0.layout == .packedAudio && $0.mainTrack?.start == nil }.map {
            Violation(subject.place($0), "no ID3 tag has its timestamp")
        }
    }
}
