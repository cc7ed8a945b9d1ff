/// What of a channel there is at a moment.
package struct ChannelWindow: Sendable {
    /// The channel.
    package let programme: ChannelProgramme
    /// The moment.
    package let time: ChannelTime

    /// How many target durations of segments are listed at least.
    private static let listedTargets: Int64 = 12
    /// Of how many target durations before the end the parts are listed (RFC 8216bis, 6.2.2).
    private static let partTargets: Int64 = 3
    /// How many target durations before the end delta updates leave out what they may (RFC 8216bis, 4.4.3.8).
    package static let skipTargets: Int64 = 6
    /// How many target durations an answer waits at the most (RFC 8216bis, 6.2.5.2).
    private static let waitingTargets: Int64 = 3

    /// What there is of a channel at a moment.
    package init(_ programme: ChannelProgramme, at time: ChannelTime) {
        (self.programme, self.time) = (programme, time)
    }

    /// The segment that is being made.
    package var open: ChannelProgramme.Entry { programme.entry(at: time) }

    /// How many of its parts are there.
    package var openParts: Int { programme.count(ofPartsOf: open, at: time) }

    /// The end of all that is there.
    package var edge: ChannelTime {
        let (open, count) = (open, openParts)
        return count == 0 ? open.place.start : programme.end(ofPart: count - 1, of: open) ?? open.place.start
    }

    /// The number of the last segment of which there is anything, and of its last part.
    package var last: (sequence: Int, part: Int) {
        let (open, count) = (open, openParts)
        if count > 0 { return (open.place.sequence, count - 1) }
        let before = programme.entry(sequence: open.place.sequence - 1)
        return (open.place.sequence - 1, before.map { programme.parts(of: $0).count - 1 } ?? 0)
    }

    /// The whole segments that are listed, in order.
    package var segments: [ChannelProgramme.Entry] {
        let open = open.place.sequence
        let first = programme.entry(at: time - Self.listedTargets * programme.target).place.sequence
        return (min(first, open)..<open).compactMap { programme.entry(sequence: $0) }
    }

    /// Whether the parts of a listed segment are listed, too: as long as the last of them is near enough to the end.
    package func listsParts(of entry: ChannelProgramme.Entry) -> Bool {
        entry.place.end >= edge - Self.partTargets * programme.target
    }

    /// How many of the listed segments a delta update leaves out.
    package var skipped: Int {
        let boundary = edge - Self.skipTargets * programme.target
        return segments.prefix { $0.place.end <= boundary }.count
    }

    /// How long something stays available after it was there first, in microseconds.
    ///
    /// RFC 8216bis, 6.2.2: as long as it is itself and the longest playlist that it was in; a part for three target
    /// durations after it was listed last.
    package static func availability(of programme: ChannelProgramme) -> Int64 {
        (listedTargets + 4) * programme.target
    }

    /// Whether something may be had.
    package enum Availability: Sendable, Equatable {
        /// It may be had.
        case there
        /// It will be there then, and is worth waiting for.
        case later(ChannelTime)
        /// It is too early, too late, or never there.
        case no
        /// It would take longer than anybody waits.
        case tooLong
    }

    /// Whether a segment, or a part of it, may be had.
    ///
    /// - Parameters:
    ///   - part: The number of the part; nil for the whole segment.
    ///   - entry: The segment.
    /// - Returns: Whether it may.
    package func availability(ofPart part: Int?, of entry: ChannelProgramme.Entry) -> Availability {
        let end = part.map { programme.end(ofPart: $0, of: entry) } ?? entry.place.end
        guard let end else { return .no }
        if end <= time { return time < end + Self.availability(of: programme) ? .there : .no }
        let isHinted = entry == open && part == openParts
        return isHinted ? .later(end) : .no
    }

    /// Whether a playlist may be had that goes as far as a client asks.
    package func availability(_ asked: DeliveryDirectives) -> Availability {
        guard let sequence = asked.sequence else { return .there }
        let (last, lastPart) = last
        // Beyond that the client has got something wrong (RFC 8216bis, 6.2.5.2).
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

    /// How many parts ahead a client may ask (RFC 8216bis, 6.2.5.2): three, or three seconds of them.
    private var advancePartLimit: Int {
        programme.partTarget >= 1_000_000 ? 3 : Int((3_000_000 + programme.partTarget - 1) / programme.partTarget)
    }
}
