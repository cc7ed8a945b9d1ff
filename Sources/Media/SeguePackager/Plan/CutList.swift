internal import SegueBase

/// The selection of cut points.
struct CutList {
    /// The preferred segment duration, in seconds.
    static let target = Rational(6)
    /// The minimum duration, except at jumps of the source.
    static let least = Rational(3)
    /// The maximum duration; a longer section without a cut point cannot be copied.
    static let greatest = Rational(30)
    /// The minimum duration of the last segment; a shorter one is merged with its predecessor.
    static let leastTail = Rational(1, 2)

    /// A possible cut point.
    struct Candidate: Comparable {
        var time: Rational
        /// True if a jump of the source forces a cut.
        var isForced: Bool

        static func < (left: Candidate, right: Candidate) -> Bool { left.time < right.time }
    }

    /// A selected cut point.
    struct Cut: Equatable {
        var time: Rational
        var startsDiscontinuity: Bool
    }

    /// Selects cuts from 0 (included) to the end.
    ///
    /// Each cut is the candidate nearest to a multiple of the target duration.
    static func cuts(candidates: [Candidate], end: Rational) -> [Cut] {
        var cuts = [Cut(time: .zero, startsDiscontinuity: false)]
        var next = candidates.partitioningIndex { $0.time > .zero }
        while next < candidates.count {
            let last = cuts[cuts.count - 1].time
            let goal = goal(after: last)
            guard let place = choose(from: candidates[next...], last: last, goal: goal) else { break }
            // Behind the last multiple, the end is nearer than any candidate.
            guard candidates[place].time < end, goal < end || candidates[place].isForced else { break }
            cuts.append(Cut(time: candidates[place].time, startsDiscontinuity: candidates[place].isForced))
            next = place + 1
        }
        while cuts.count > 1, let tail = cuts.last, end - tail.time < leastTail { cuts.removeLast() }
        return cuts
    }

    /// The preferred time of the cut after another one.
    private static func goal(after last: Rational) -> Rational {
        let goal = Rational((last / target).floored() + 1) * target
        return goal - last < least ? goal + target : goal
    }

    /// The number of first segments whose end does not change if the file continues.
    ///
    /// A cut is final once there is a candidate at or after its goal, since later ones are farther away.
    ///
    /// - Parameters:
    ///   - last: The time of the last candidate.
    ///   - known: The time until which all frames are known.
    static func settledCount(_ cuts: [Cut], last: Rational, known: Rational) -> Int {
        zip(cuts, cuts.dropFirst()).prefix { cut, next in goal(after: cut.time) <= last && next.time <= known }.count
    }

    private static func choose(from candidates: ArraySlice<Candidate>, last: Rational, goal: Rational) -> Int? {
        var best: Int?
        for place in candidates.indices {
            let candidate = candidates[place]
            if candidate.isForced, candidate.time > last {
                // A jump before the goal forces a cut; a jump behind it keeps the choice so far.
                if let best, candidates[best].time >= goal || candidate.time > goal + target { return best }
                if best == nil || candidate.time <= goal + least { return place }
            }
            if candidate.time - last < least { continue }
            if let known = best, distance(candidates[known].time, goal) <= distance(candidate.time, goal) { break }
            best = place
        }
        return best
    }

    private static func distance(_ a: Rational, _ b: Rational) -> Rational { a < b ? b - a : a - b }

    /// The planned segments between cuts.
    static func segments(_ cuts: [Cut], end: Rational) -> [PlannedSegment] {
        cuts.indices.map { number in
            let stop = number + 1 < cuts.count ? cuts[number + 1].time : end
            return PlannedSegment(
                number: number,
                start: cuts[number].time,
                duration: stop - cuts[number].time,
                startsDiscontinuity: cuts[number].startsDiscontinuity
            )
        }
    }
}
