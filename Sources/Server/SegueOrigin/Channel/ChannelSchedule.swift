/// A schedule of titles that repeat from a start time on.
///
/// It follows from the titles and the start time, so that every server and every restart computes the same numbers. The
/// cost of a lookup does not depend on the age of the channel.
package struct ChannelSchedule: Sendable {
    /// The position of a segment in the channel.
    package struct Place: Sendable, Equatable {
        /// The media sequence number.
        package var sequence: Int
        /// The discontinuity sequence number.
        package var discontinuity: Int
        package var startsDiscontinuity: Bool
        /// The index of the title.
        package var title: Int
        /// The index of the segment in the title.
        package var number: Int
        package var start: ChannelTime
        /// The end, at which the segment becomes available.
        package var end: ChannelTime
    }

    package let titles: [ChannelTitle]
    package let start: ChannelTime
    /// The media sequence number of the first segment.
    package let firstSequence: Int
    /// The discontinuity sequence number before the first segment, which starts a discontinuity.
    package let firstDiscontinuity: Int

    /// The end of each segment of a round, in microseconds from the round's start.
    private let ends: [Int64]
    /// The number of discontinuities in the round up to each segment, including its own.
    private let discontinuities: [Int]
    /// The index of each title's first segment in the round.
    private let firsts: [Int]

    /// - Parameters:
    ///   - titles: The titles; at least one, with a total duration of at most a century.
    ///   - start: The start of the first title.
    ///   - firstSequence: The media sequence number of the first segment.
    ///   - firstDiscontinuity: The discontinuity sequence number before the first segment.
    package init(
        titles: [ChannelTitle],
        start: ChannelTime = .epoch,
        firstSequence: Int = 0,
        firstDiscontinuity: Int = 0
    ) {
        precondition(!titles.isEmpty, "a channel must have titles")
        (self.titles, self.start) = (titles, start)
        (self.firstSequence, self.firstDiscontinuity) = (firstSequence, firstDiscontinuity)
        var (ends, discontinuities, firsts): ([Int64], [Int], [Int]) = ([], [], [])
        var (end, count): (Int64, Int) = (0, 0)
        for title in titles {
            firsts.append(ends.count)
            for (number, segment) in title.segments.enumerated() {
                end += segment.microseconds
                if number == 0 || segment.startsDiscontinuity { count += 1 }
                ends.append(end)
                discontinuities.append(count)
            }
        }
        (self.ends, self.discontinuities, self.firsts) = (ends, discontinuities, firsts)
    }

    /// The duration of a round in microseconds.
    package var round: Int64 { ends[ends.count - 1] }

    /// The segment that plays at a time, or the first one before the start.
    package func place(at time: ChannelTime) -> Place {
        let passed = max(0, time.microseconds - start.microseconds)
        let (rounds, rest) = passed.quotientAndRemainder(dividingBy: round)
        return place(Int(rounds), ends.firstIndex(above: rest))
    }

    /// The segment with a media sequence number, or nil if the number is out of range.
    package func place(sequence: Int) -> Place? {
        let count = sequence.subtractingReportingOverflow(firstSequence)
        guard !count.overflow, count.partialValue >= 0 else { return nil }
        let (rounds, rest) = count.partialValue.quotientAndRemainder(dividingBy: ends.count)
        let (time, isTooLate) = Int64(rounds).multipliedReportingOverflow(by: round)
        guard !isTooLate, time < ChannelTime(microseconds: .max).microseconds - start.microseconds else { return nil }
        return place(rounds, rest)
    }

    private func place(_ rounds: Int, _ index: Int) -> Place {
        let begin = start + Int64(rounds) * round
        let title = firsts.firstIndex(above: index) - 1
        let number = index - firsts[title]
        let perRound = discontinuities[discontinuities.count - 1]
        return Place(
            sequence: firstSequence + rounds * ends.count + index,
            discontinuity: firstDiscontinuity + rounds * perRound + discontinuities[index],
            startsDiscontinuity: number == 0 || titles[title].segments[number].startsDiscontinuity,
            title: title,
            number: number,
            start: begin + (index == 0 ? 0 : ends[index - 1]),
            end: begin + ends[index]
        )
    }

    package func parts(of place: Place) -> [ChannelPart] { titles[place.title].segments[place.number].parts }
}

extension [Int64] {
    /// The first index of an ascending list whose number is greater, or the last index.
    fileprivate func firstIndex(above number: Int64) -> Int {
        Swift.min(count - 1, partitioningIndex { $0 > number })
    }
}

extension [Int] {
    /// The first index of an ascending list whose number is greater, or its end.
    fileprivate func firstIndex(above number: Int) -> Int { partitioningIndex { $0 > number } }
}

extension Array {
    /// The first index from which on a condition holds.
    private func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
