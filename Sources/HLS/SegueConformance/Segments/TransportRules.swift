internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// The rules on segments that are transport streams.
enum TransportRules {
    static let all: [Check<MediaSubject>] = [tables, whole, counters, countersAcross, decodeTimes, clock, continuous]

    private static func streams(_ subject: MediaSubject) -> [(SegmentFacts, TransportFacts)] {
        // An I-frame's packets are cut out of a stream that is told of elsewhere.
        guard !subject.playlist.isIFramesOnly else { return [] }
        return subject.segments.compactMap { segment in segment.transport.map { (segment, $0) } }
    }

    /// A segment says first what is in it.
    static let tables = Check<MediaSubject>(
        Rule("ts-tables", "R3.2, B3.1.1", .must, "PAT, then PMT come before the first packet of a stream")
    ) { subject in
        streams(subject).filter { !$1.beginsWithTables && !subject.mayHaveSkippedMap($0) }.map { segment, _ in
            Violation(subject.place(segment), "a stream begins before PAT and PMT")
        }
    }

    /// Whole packets.
    static let whole = Check<MediaSubject>(
        Rule("ts-packets", "R3.2", .must, "a transport stream is whole packets of 188 bytes")
    ) { subject in
        streams(subject).filter { !$1.isInStep }.map { segment, _ in
            Violation(subject.place(segment), "its \(segment.size) bytes are not whole packets in step")
        }
    }

    /// No packet is missing within.
    static let counters = Check<MediaSubject>(
        Rule("ts-counters", "A7.2", .must, "continuity counters follow one another within a segment")
    ) { subject in
        streams(subject).flatMap { segment, facts in
            facts.counters.sorted { $0.key < $1.key }.filter { $0.value.breaks > 0 }.map { pid, counters in
                Violation(subject.place(segment), "PID \(pid) breaks off \(counters.breaks) times")
            }
        }
    }

    /// No packet is missing between.
    static let countersAcross = Check<MediaSubject>(
        Rule("ts-counters-across", "A7.2, B3", .must, "continuity counters follow one another across borders")
    ) { subject in
        subject.neighbours.flatMap { former, next -> [Violation] in
            guard let before = former.transport?.counters, let after = next.transport?.counters else { return [] }
            return after.sorted { $0.key < $1.key }.compactMap { pid, counters in
                guard let last = before[pid]?.last, counters.first != (last + 1) & 15 else { return nil }
                let message = "PID \(pid) begins with counter \(counters.first) after \(last)"
                return Violation(subject.place(next), message)
            }
        }
    }

    /// Decode times rise.
    static let decodeTimes = Check<MediaSubject>(
        Rule("ts-decode-times", "A7.2", .must, "decode times rise within a segment")
    ) { subject in
        streams(subject).flatMap { segment, facts in
            facts.unsteady.map { Violation(subject.place(segment), "the decode times of PID \($0) do not rise") }
        }
    }

    /// The clock runs, and across borders.
    static let clock = Check<MediaSubject>(
        Rule("ts-clock", "A7.2", .must, "a transport stream has clock references that never fall")
    ) { subject in
        let within = streams(subject).compactMap { segment, facts -> Violation? in
            if facts.firstClock == nil { return Violation(subject.place(segment), "it has no clock reference") }
            return facts.clockFalls ? Violation(subject.place(segment), "its clock goes back") : nil
        }
        let across = subject.neighbours.compactMap { former, next -> Violation? in
            guard let last = former.transport?.lastClock, let first = next.transport?.firstClock,
                case let step = TransportTime.distance(from: last, to: first), step < 0
            else { return nil }
            let back = Shown.seconds(Rational(-step, 90_000))
            return Violation(subject.place(next), "its clock begins \(back) before the end of the last")
        }
        return within + across
    }

    /// Each stream goes on where it stopped.
    static let continuous = Check<MediaSubject>(
        Rule("ts-continuous", "A7.1, A7.2, B3", .must, "each stream goes on in time across borders")
    ) { subject in
        let entries = subject.playlist.segments
        return subject.neighbours.flatMap { former, next -> [Violation] in
            guard former.transport != nil, next.transport != nil else { return [] }
            let said = entries[former.number].duration
            return next.tracks.compactMap { track in
                guard let before = former.tracks.first(where: { $0.number == track.number }),
                    let samples = before.samples, samples > 1, let from = before.start, let last = before.last,
                    let start = track.start
                else { return nil }
                let step = (last - from) / Rational(Int64(samples - 1))
                let gap = SegmentRules.unwrapped(start - last)
                guard gap <= .zero || gap > step * Rational(3) + Rational(1, 10) else { return nil }
                // What is shown or silent for long before a border goes on until it, when the playlist says so.
                let length = SegmentRules.unwrapped(start - from)
                guard gap <= .zero || gap > said || max(length - said, said - length) > Rational(1, 10) else {
                    return nil
                }
                let message = "PID \(track.number) begins \(Shown.seconds(gap)) after the last sample before it"
                return Violation(subject.place(next), message)
            }
        }
    }
}
