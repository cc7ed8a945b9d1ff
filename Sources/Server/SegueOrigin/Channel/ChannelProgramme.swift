/// The programme of a channel: one schedule, or the previous and the next one around a change of titles.
///
/// Published segments never change: the next schedule continues the numbers of the previous one, at the end of a
/// segment that no client knows yet.
package struct ChannelProgramme: Sendable {
    /// A schedule and the name of its titles.
    package struct Era: Sendable {
        /// A name that no other schedule has.
        package let name: String
        package let schedule: ChannelSchedule
    }

    /// A segment and the number of its era.
    package struct Entry: Sendable, Equatable {
        package let era: Int
        package let place: ChannelSchedule.Place
    }

    /// The schedules in order; at most two.
    package private(set) var eras: [Era]
    /// The target duration of the playlists in seconds, which never changes.
    package let targetDuration: Int
    /// The maximum duration of a part in microseconds, which never changes.
    package let partTarget: Int64

    /// Creates a channel with one schedule.
    ///
    /// - Parameters:
    ///   - name: A name that no other schedule has.
    ///   - partTarget: The maximum duration of a part, in microseconds.
    package init(_ schedule: ChannelSchedule, name: String, partTarget: Int64) {
        eras = [Era(name: name, schedule: schedule)]
        targetDuration = schedule.titles.map(\.targetDuration).max() ?? 1
        self.partTarget = partTarget
    }

    /// The target duration in microseconds.
    package var target: Int64 { Int64(targetDuration) * 1_000_000 }

    /// Schedules other titles from a later segment on.
    ///
    /// While another change is pending, the call has no effect. No segment of the titles may be longer than the target
    /// duration, which never changes.
    ///
    /// - Parameters:
    ///   - titles: The titles; at least one.
    ///   - name: A name that no other schedule has.
    package mutating func change(to titles: [ChannelTitle], name: String, at time: ChannelTime) {
        let former = eras[eras.count - 1]
        guard former.schedule.start <= time else { return }
        // Clients may block on the two segments after the current one.
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

    /// The segment that plays at a time.
    package func entry(at time: ChannelTime) -> Entry {
        let era = eras.lastIndex { $0.schedule.start <= time } ?? 0
        return Entry(era: era, place: eras[era].schedule.place(at: time))
    }

    /// The segment with a media sequence number, or nil if there is none.
    package func entry(sequence: Int) -> Entry? {
        let era = eras.lastIndex { $0.schedule.firstSequence <= sequence } ?? 0
        return eras[era].schedule.place(sequence: sequence).map { Entry(era: era, place: $0) }
    }

    package func parts(of entry: Entry) -> [ChannelPart] { eras[entry.era].schedule.parts(of: entry.place) }

    /// The end of a part, at which it becomes available, or nil if the segment has no such part.
    package func end(ofPart number: Int, of entry: Entry) -> ChannelTime? {
        let parts = parts(of: entry)
        guard parts.indices.contains(number) else { return nil }
        return entry.place.start + parts[...number].reduce(0) { $0 + Int64($1.microseconds) }
    }

    /// The number of parts of a segment that are available at a time.
    package func count(ofPartsOf entry: Entry, at time: ChannelTime) -> Int {
        var end = entry.place.start
        return parts(of: entry).prefix { part in
            end = end + Int64(part.microseconds)
            return end <= time
        }.count
    }
}

extension ChannelTitle {
    /// The target duration for all segments: the longest, rounded to seconds, at least 1.
    package var targetDuration: Int {
        max(1, Int(((segments.map(\.microseconds).max() ?? 0) + 500_000) / 1_000_000))
    }
}
