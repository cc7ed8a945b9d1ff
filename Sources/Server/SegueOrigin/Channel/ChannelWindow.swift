/// The part of a channel that is available at a time.
package struct ChannelWindow: Sendable {
    package let programme: ChannelProgramme
    package let time: ChannelTime

    /// The minimum duration of the listed segments, in target durations.
    private static let listedTargets: Int64 = 12
    /// The duration before the end within which parts are listed, in target durations (RFC 8216bis, 6.2.2).
    private static let partTargets: Int64 = 3
    /// The duration before the end that delta updates keep, in target durations (RFC 8216bis, 4.4.3.8).
    package static let skipTargets: Int64 = 6
    /// The maximum time a request blocks, in target durations (RFC 8216bis, 6.2.5.2).
    private static let waitingTargets: Int64 = 3

    package init(_ programme: ChannelProgramme, at time: ChannelTime) {
        (self.programme, self.time) = (programme, time)
    }

    /// The segment that is in progress.
    package var open: ChannelProgramme.Entry { programme.entry(at: time) }

    /// The number of its available parts.
    package var openParts: Int { programme.count(ofPartsOf: open, at: time) }

    /// The end of the available content.
    package var edge: ChannelTime {
        let (open, count) = (open, openParts)
        return count == 0 ? open.place.start : programme.end(ofPart: count - 1, of: open) ?? open.place.start
    }

    /// The number of the last segment with content, and of its last part.
    package var last: (sequence: Int, part: Int) {
        let (open, count) = (open, openParts)
        if count > 0 { return (open.place.sequence, count - 1) }
        let before = programme.entry(sequence: open.place.sequence - 1)
        return (open.place.sequence - 1, before.map { programme.parts(of: $0).count - 1 } ?? 0)
    }

    /// The complete segments in the playlist.
    package var segments: [ChannelProgramme.Entry] {
        let open = open.place.sequence
        let first = programme.entry(at: time - Self.listedTargets * programme.target).place.sequence
        return (min(first, open)..<open).compactMap { programme.entry(sequence: $0) }
    }

    /// Returns true if the parts of a segment are listed: its end is close enough to the live edge.
    package func listsParts(of entry: ChannelProgramme.Entry) -> Bool {
        entry.place.end >= edge - Self.partTargets * programme.target
    }

    /// The number of segments that a delta update omits.
    package var skipped: Int {
        let boundary = edge - Self.skipTargets * programme.target
        return segments.prefix { $0.place.end <= boundary }.count
    }

    /// The time a segment or part stays available, in microseconds.
    ///
    /// RFC 8216bis, 6.2.2: its duration and that of the longest playlist that contained it; for a part, three target
    /// durations after it was listed last.
    package static func availability(of programme: ChannelProgramme) -> Int64 {
        (listedTargets + 4) * programme.target
    }

    package enum Availability: Sendable, Equatable {
        case there
        /// Available at a later time that is worth waiting for.
        case later(ChannelTime)
        /// Too early, too late, or nonexistent.
        case no
        /// Available after more than the maximum blocking time.
        case tooLong
    }

    /// The availability of a segment or a part.
    ///
    /// - Parameters:
    ///   - part: The number of the part; nil for the whole segment.
    /// - Returns: The availability.
    package func availability(ofPart part: Int?, of entry: ChannelProgramme.Entry) -> Availability {
        let end = part.map { programme.end(ofPart: $0, of: entry) } ?? entry.place.end
        guard let end else { return .no }
        if end <= time { return time < end + Self.availability(of: programme) ? .there : .no }
        let isHinted = entry == open && part == openParts
        return isHinted ? .later(end) : .no
    }

    /// The availability of a playlist that contains the requested segment or part.
    package func availability(_ asked: DeliveryDirectives) -> Availability {
        guard let sequence = asked.sequence else { return .there }
        let (last, lastPart) = last
        // A client must not ask for more (RFC 8216bis, 6.2.5.2).
        guard sequence <= last + 2, var entry = programme.entry(sequence: sequence) else {
            return sequence < last ? .there : .no
        }
        var end = entry.place.end
        if var part = asked.part {
            if sequence == last, part > lastPart, part - lastPart > advancePartLimit { return .no }
            if part >= programme.parts(of: entry).count {
                guard let next = programme.entry(sequence: sequence + 1) else { return .no }
                (entry, part) = (next, 0)
            }
            end = programme.end(ofPart: part, of: entry) ?? end
        }
        if end <= time { return .there }
        return end <= time + Self.waitingTargets * programme.target ? .later(end) : .tooLong
    }

    /// The number of parts that a client may ask for in advance: three, or three seconds of them (RFC 8216bis,
    /// 6.2.5.2).
    private var advancePartLimit: Int {
        programme.partTarget >= 1_000_000 ? 3 : Int((3_000_000 + programme.partTarget - 1) / programme.partTarget)
    }
}
