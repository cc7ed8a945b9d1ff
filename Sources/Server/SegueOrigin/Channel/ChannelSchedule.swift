/// What a channel plays when: titles one after the other, round and round, from a moment on.
///
/// It follows from the titles and that moment alone, so that every server and every restart gives the same numbers; what
/// is asked of it costs the same however long the channel has been on.
package struct ChannelSchedule: Sendable {
    /// A segment at its place in the channel.
    package struct Place: Sendable, Equatable {
        /// Its media sequence number.
        package var sequence: Int
        /// Its discontinuity sequence number.
        package var discontinuity: Int
        /// Whether it does not continue the segment before.
        package var startsDiscontinuity: Bool
        /// The number of its title.
        package var title: Int
        /// Its number in that.
        package var number: Int
        /// When it begins.
        package var start: ChannelTime
        /// When it is over, and so whole.
        package var end: ChannelTime
    }

    /// The titles, in order.
    package let titles: [ChannelTitle]
    /// When it begins.
    package let start: ChannelTime
    /// The media sequence number of the segment with which it begins.
    package let firstSequence: Int
    /// The discontinuity sequence number of what came before that, which starts one.
    package let firstDiscontinuity: Int

    /// For each segment of a round when it ends, in microseconds from the round's beginning.
    private let ends: [Int64]
    /// For each segment how many discontinuities there are in the round up to it, its own included.
    private let discontinuities: [Int]
    /// The number of each title's first segment in the round.
    private let firsts: [Int]

    /// A schedule.
    ///
    /// - Parameters:
    ///   - titles: The titles; not none, and together no longer than a century.
    ///   - start: When the first of them begins for the first time.
    ///   - firstSequence: The media sequence number with which it begins.
    ///   - firstDiscontinuity: The discontinuity sequence number of what came before.
    package init(
        titles: [ChannelTitle],
        start: ChannelTime = .epoch,
        firstSequence: Int = 0,
        firstDiscontinuity: Int = 0
    ) {
        precondition(!titles.isEmpty, "a channel has titles")
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

    /// How long a round is, in microseconds.
    package var round: Int64 { ends[ends.count - 1] }

    /// The segment that is on at a moment; before the beginning, the first.
    package func place(at time: ChannelTime) -> Place {
        let passed = max(0, time.microseconds - start.microseconds)
        let (rounds, rest) = passed.quotientAndRemainder(dividingBy: round)
        return place(Int(rounds), ends.firstIndex(above: rest))
    }

    /// The segment with a media sequence number; nil for one before the first, and one so late that there is none.
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

    /// The parts of a segment.
    package func parts(of place: Place) -> [ChannelPart] { titles[place.title].segments[place.number].parts }
}

extension [Int64] {
    /// The first place of an ascending list whose number is above another, the last place where none is.
    fileprivate func firstIndex(above number: Int64) -> Int {
        Swift.min(count - 1, partitioningIndex { $0 > number })
    }
}

extension [Int] {
    /// The first place of an ascending list whose number is above another; its end where none is.
    fileprivate func firstIndex(above number: Int) -> Int { partitioningIndex { $0 > number } }
}

extension Array {
    /// The first place whose element satisfies a condition that holds from there on.
    private func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
