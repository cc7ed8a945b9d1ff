/// All that a channel plays: one schedule, or after a change of its titles the one before and the one after.
///
/// What was listed stays as it was: numbers go on where the schedule before leaves off, at the end of a segment that
/// nobody has been told of yet.
package struct ChannelProgramme: Sendable {
    /// A schedule, and whose numbers of titles it has.
    package struct Era: Sendable {
        /// A name that no other schedule has.
        package let name: String
        /// What is played.
        package let schedule: ChannelSchedule
    }

    /// A segment, and the schedule that it is of.
    package struct Entry: Sendable, Equatable {
        /// The number of the era.
        package let era: Int
        /// The segment.
        package let place: ChannelSchedule.Place
    }

    /// The schedules, the one before first; two at the most.
    package private(set) var eras: [Era]
    /// What playlists say of all segments, in whole seconds; it never changes.
    package let targetDuration: Int
    /// The longest that a part may be, in microseconds; it never changes.
    package let partTarget: Int64

    /// A channel that plays one schedule.
    ///
    /// - Parameters:
    ///   - schedule: The schedule.
    ///   - name: A name that no other schedule has.
    ///   - partTarget: The longest part, in microseconds.
    package init(_ schedule: ChannelSchedule, name: String, partTarget: Int64) {
        eras = [Era(name: name, schedule: schedule)]
        targetDuration = schedule.titles.map(\.targetDuration).max() ?? 1
        self.partTarget = partTarget
    }

    /// The target duration in microseconds.
    package var target: Int64 { Int64(targetDuration) * 1_000_000 }

    /// Plays other titles after a while.
    ///
    /// Where another change is still to come, nothing is changed. Titles with a segment that is longer than the target duration do not belong here: it may not change.
    ///
    /// - Parameters:
    ///   - titles: The titles; not none.
    ///   - name: A name that no other schedule has.
    ///   - time: The present.
    package mutating func change(to titles: [ChannelTitle], name: String, at time: ChannelTime) {
        let former = eras[eras.count - 1]
        guard former.schedule.start <= time else { return }
        // Clients may wait for the two segments after the one that is being made.
        let open = former.schedule.place(at: time)
        guard let last = former.schedule.place(sequence: open.sequence + 3) else { return }
        let next = ChannelSchedule(
            titles: titles,
            start: last.start,
            firstSequence: last.sequence,
            firstDiscontinuity: last.discontinuity - (last.startsDiscontinuity ? 1 : 0)
        )
        eras = [former, Era(name: name, schedule: next)]
    }

    /// The segment that is on at a moment.
    package func entry(at time: ChannelTime) -> Entry {
        let era = eras.lastIndex { $0.schedule.start <= time } ?? 0
        return Entry(era: era, place: eras[era].schedule.place(at: time))
    }

    /// The segment with a media sequence number; nil where there is none.
    package func entry(sequence: Int) -> Entry? {
        let era = eras.lastIndex { $0.schedule.firstSequence <= sequence } ?? 0
        return eras[era].schedule.place(sequence: sequence).map { Entry(era: era, place: $0) }
    }

    /// The parts of a segment.
    package func parts(of entry: Entry) -> [ChannelPart] { eras[entry.era].schedule.parts(of: entry.place) }

    /// When a part of a segment is over, and so there; nil where the segment has no such part.
    package func end(ofPart number: Int, of entry: Entry) -> ChannelTime? {
        let parts = parts(of: entry)
        guard parts.indices.contains(number) else { return nil }
        return entry.place.start + parts[...number].reduce(0) { $0 + Int64($1.microseconds) }
    }

    /// How many parts of a segment are there at a moment.
    package func count(ofPartsOf entry: Entry, at time: ChannelTime) -> Int {
        var end = entry.place.start
        return parts(of: entry).prefix { part in
            end = end + Int64(part.microseconds)
            return end <= time
        }.count
    }
}

extension ChannelTitle {
    /// What a playlist with all its segments says of them: the longest, rounded to whole seconds, at least 1.
    package var targetDuration: Int {
        max(1, Int(((segments.map(\.microseconds).max() ?? 0) + 500_000) / 1_000_000))
    }
}
