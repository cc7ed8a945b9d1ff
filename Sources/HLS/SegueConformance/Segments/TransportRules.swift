internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// The rules on MPEG-TS segments.
enum TransportRules {
    static let all: [Check<MediaSubject>] = [
        tables, whole, counters, countersAcross, mapAcross, decodeTimes, clock, continuous,
    ]

    private static func streams(_ subject: MediaSubject) -> [(SegmentFacts, TransportFacts)] {
        // I-frames are parts of a stream that its own playlist covers.
        guard !subject.playlist.isIFramesOnly else { return [] }
        return subject.segments.compactMap { segment in segment.transport.map { (segment, $0) } }
    }

    static let tables = Check<MediaSubject>(
        Rule(
            "ts-tables",
            in: .segments,
            clauses: "R3.2, B3.1.1",
            .should,
            requires: "PAT and PMT precede the first packet of a stream",
            fix:
                "write PAT and PMT at the start of each segment; FFmpeg: -mpegts_flags resend_headers if another program cuts the stream"
        )
    ) { subject in
        streams(subject).filter { !$1.beginsWithTables && !subject.mayHaveSkippedMap($0) }.map { segment, _ in
            Violation(subject.place(segment), "a stream starts before PAT and PMT")
        }
    }

    static let whole = Check<MediaSubject>(
        Rule(
            "ts-packets",
            in: .segments,
            clauses: "R3.2",
            .must,
            requires: "a transport stream is whole 188-byte packets",
            fix: "cut segments at packet boundaries",
            players: .breaks(
                "Chromium and GStreamer stop if packets begin in other places within a segment; mpv and VLC play",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        streams(subject).filter { !$1.isInStep }.map { segment, _ in
            Violation(
                subject.place(segment),
                "the \(segment.size) bytes are not whole 188-byte packets with sync bytes"
            )
        }
    }

    static let counters = Check<MediaSubject>(
        Rule(
            "ts-counters",
            in: .segments,
            clauses: "A7.2, M13818-1",
            .must,
            requires: "continuity counters are consecutive within a segment",
            fix: "find the point where the stream loses packets",
            players: .breaks(
                "Chromium stops at a segment from which packets are lost; GStreamer, mpv, and VLC play",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        streams(subject).flatMap { segment, facts in
            facts.counters.sorted { $0.key < $1.key }.filter { $0.value.breaks > 0 }.map { pid, counters in
                Violation(
                    subject.place(segment),
                    "the continuity counter of PID \(pid) breaks \(counters.breaks == 1 ? "once" : "\(counters.breaks) times")"
                )
            }
        }
    }

    static let countersAcross = Check<MediaSubject>(
        Rule(
            "ts-counters-across",
            in: .segments,
            clauses: "A7.2, B3",
            .must,
            requires: "continuity counters are consecutive across segment boundaries",
            fix: "keep the counters from segment to segment"
        )
    ) { subject in
        subject.neighbours.flatMap { former, next -> [Violation] in
            guard let before = former.transport?.counters, let after = next.transport?.counters else { return [] }
            return after.sorted { $0.key < $1.key }.compactMap { pid, counters in
                guard let last = before[pid]?.last, counters.first != (last + 1) & 15 else { return nil }
                let message: Message =
                    "the continuity counter of PID \(pid) starts at \(counters.first), expected \((last + 1) & 15)"
                return Violation(subject.place(next), message)
            }
        }
    }

    static let mapAcross = Check<MediaSubject>(
        Rule(
            "ts-map-across",
            in: .segments,
            clauses: "M13818-1",
            .must,
            requires: "a PMT that differs from that of the previous segment has a new version number, or follows "
                + "#EXT-X-DISCONTINUITY",
            fix: "increase version_number with each change of the PMT, and keep it from segment to segment"
        )
    ) { subject in
        subject.neighbours.flatMap { former, next -> [Violation] in
            guard let before = former.transport?.maps, let after = next.transport?.maps else { return [] }
            return after.sorted { $0.key < $1.key }.compactMap { pid, map in
                guard let last = before[pid]?.last, last.count > 5, map.first.count > 5, last != map.first,
                    TransportFacts.Map.version(last) == TransportFacts.Map.version(map.first)
                else { return nil }
                let version = TransportFacts.Map.version(last)
                let message: Message =
                    "the PMT of PID \(pid) differs from that of the previous segment, its version remains \(version)"
                return Violation(subject.place(next), message)
            }
        }
    }

    static let decodeTimes = Check<MediaSubject>(
        Rule(
            "ts-decode-times",
            in: .segments,
            clauses: "A7.2, M13818-1",
            .must,
            requires: "decode times increase within a segment",
            fix: "correct the DTS of the stream"
        )
    ) { subject in
        streams(subject).flatMap { segment, facts in
            facts.unsteady.map { Violation(subject.place(segment), "the decode times of PID \($0) do not increase") }
        }
    }

    static let clock = Check<MediaSubject>(
        Rule(
            "ts-clock",
            in: .segments,
            clauses: "A7.2, M13818-1",
            .must,
            requires: "a transport stream has program clock references that never decrease",
            fix: "keep the PCR running from segment to segment"
        )
    ) { subject in
        let within = streams(subject).compactMap { segment, facts -> Violation? in
            if facts.firstClock == nil { return Violation(subject.place(segment), "the segment has no PCR") }
            return facts.clockFalls ? Violation(subject.place(segment), "the PCR decreases") : nil
        }
        let across = subject.neighbours.compactMap { former, next -> Violation? in
            guard let last = former.transport?.lastClock, let first = next.transport?.firstClock,
                case let step = TransportTime.distance(from: last, to: first), step < 0
            else { return nil }
            let back = DisplayText.seconds(Rational(-step, 90_000))
            return Violation(
                subject.place(next),
                "the first PCR is \(back) before the last PCR of the previous segment"
            )
        }
        return within + across
    }

    static let continuous = Check<MediaSubject>(
        Rule(
            "ts-continuous",
            in: .segments,
            clauses: "A7.1, A7.2, B3",
            .must,
            requires: "each stream continues in time across segment boundaries",
            fix: "check for samples lost or repeated at the boundary",
            players: .breaks(
                "Chromium rejects the segment and stops; GStreamer stops; mpv and VLC stall for its length",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        let entries = subject.playlist.segments
        return subject.neighbours.flatMap { former, next -> [Violation] in
            guard former.transport != nil, next.transport != nil else { return [] }
            let stated = entries[former.number].duration
            return next.tracks.compactMap { track in
                guard let before = former.tracks.first(where: { $0.number == track.number }),
                    let samples = before.samples, samples > 1, let from = before.start, let last = before.last,
                    let start = track.start
                else { return nil }
                let step = (last - from) / Rational(Int64(samples - 1))
                let gap = SegmentRules.unwrapped(start - last)
                guard gap <= .zero || gap > step * Rational(3) + Rational(1, 10) else { return nil }
                // A still image or silence before the boundary lasts as long as the playlist states.
                let length = SegmentRules.unwrapped(start - from)
                guard gap <= .zero || gap > stated || max(length - stated, stated - length) > Rational(1, 10) else {
                    return nil
                }
                let distance = DisplayText.seconds(gap.magnitude)
                let side = gap < .zero ? "before" : "after"
                let message: Message =
                    "PID \(track.number) starts \(distance) \(side) the last sample of the previous segment"
                return Violation(subject.place(next), message)
            }
        }
    }
}
