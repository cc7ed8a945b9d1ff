internal import SegueBase
internal import SeguePlaylists

/// The changes of the date ranges from one version to the next.
enum RangeChanges {
    /// Compares the date ranges of two versions.
    ///
    /// - Parameters:
    ///   - former: The ranges of the previous version.
    ///   - next: The ranges of the next version.
    ///   - listed: The dates of the listed segments; nil without dates.
    /// - Returns: The breaches.
    static func breaches(from former: [DateRange], to next: [DateRange], listed: Range<Double>?) -> [Breach] {
        let places = Dictionary(next.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return former.compactMap { old in
            if let place = places[old.id] {
                return difference(old, next[place]).map {
                    Breach(LiveRules.rangeChanged, "\($0) of date range \(value: old.id) changes")
                }
            }
            guard let listed, let dates = dates(of: old), dates.overlaps(listed) else { return nil }
            return Breach(
                LiveRules.rangeKept,
                "date range \(value: old.id) is removed while segments of its dates are listed"
            )
        }
    }

    private static func dates(of range: DateRange) -> ClosedRange<Double>? {
        guard let start = range.startDate.flatMap(ProgramDate.seconds) else { return nil }
        let end = range.endDate.flatMap(ProgramDate.seconds) ?? range.duration.map { start + $0.seconds } ?? start
        return start...max(start, end)
    }

    private static func difference(_ old: DateRange, _ new: DateRange) -> String? {
        func differ<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
            one != nil && other != nil && one != other
        }
        if differ(old.classID, new.classID) { return "CLASS" }
        if differ(old.startDate, new.startDate) { return "START-DATE" }
        if differ(old.endDate, new.endDate) { return "END-DATE" }
        if differ(old.duration, new.duration) { return "DURATION" }
        if differ(old.plannedDuration, new.plannedDuration) { return "PLANNED-DURATION" }
        if differ(old.scte35Command, new.scte35Command) { return "SCTE35-CMD" }
        if differ(old.scte35Out, new.scte35Out) { return "SCTE35-OUT" }
        if differ(old.scte35In, new.scte35In) { return "SCTE35-IN" }
        return old.clientAttributes.keys.sorted().first {
            differ(old.clientAttributes[$0], new.clientAttributes[$0])
        }
    }
}
