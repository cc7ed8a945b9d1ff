internal import Glibc

/// Tells when a suite's work will be done, from what its files are likely to cost and from what they have cost so far.
///
/// Each kind of file is learned by itself, from the last ones alone: the largest come first, and what holds for them
/// holds less for the smallest. The one that took by far the longest says little of others.
struct Forecast {
    /// A file's work, as it is expected before anything is known, in seconds.
    struct Work: Sendable, Equatable {
        /// What its cost is learned with.
        var kind: String
        /// What is done once for all cases, and what each case takes.
        var cost: CaseWork
        /// How many cases there are.
        var cases: Int
        /// Whether it is a title, whose expectation has nothing to do with that of files.
        var isTitle = false
    }

    /// How far the work on a file has come.
    struct Place: Sendable, Equatable {
        /// How many cases have ended.
        var cases = 0
        /// How long they took, in seconds, as far as that is known.
        var times: [Double] = []
        /// How much of what is done once is done, from 0 to 1; nil where nobody says.
        var share: Double?

        /// What a case takes by itself: the one in the middle, as the first of each rendition have more to do.
        var each: Double? { times.count > 1 ? times.sorted()[(times.count - 1) / 2] : nil }
    }

    private struct Running {
        let began: Double
        var place = Place()
    }

    /// How many times what was expected the last files took.
    private struct Pace {
        private var last: [Double] = []
        private let most: Int

        init(most: Int) { self.most = most }

        mutating func add(_ taken: Double, expected: Double) {
            last.append(max(0, taken) / max(expected, 1e-6))
            if last.count > most { last.removeFirst() }
        }

        /// What is to be multiplied with, where so many files are believed to have taken a usual time; the one that took
        /// longest of five and more says nothing of others.
        func factor(_ usual: Double, weight: Double) -> Double {
            let counted = last.count > 4 ? Array(last.sorted().dropLast(max(1, last.count / 12))) : last
            return (counted.reduce(0, +) + usual * weight) / (Double(counted.count) + weight)
        }
    }

    private struct Learned {
        var once: Pace
        var each: Pace

        init(most: Int) { (once, each) = (Pace(most: most), Pace(most: most)) }
    }

    private let works: [Work]
    private let jobs: Int
    /// The files that wait, the next one last.
    private var waiting: [Int]
    private var running: [Int: Running] = [:]
    private var kinds: [String: Learned] = [:]
    private var files = Learned(most: 24)
    private var titles = Learned(most: 24)
    private var done = 0

    /// Nothing has begun yet.
    ///
    /// - Parameters:
    ///   - order: Their places, in the order in which they begin.
    ///   - jobs: How many at a time, at least 1.
    init(_ works: [Work], order: [Int], jobs: Int) {
        (self.works, self.jobs) = (works, max(1, jobs))
        waiting = order.reversed()
    }

    /// The next file begins, at a time in seconds.
    mutating func begin(_ index: Int, at now: Double) {
        if let place = waiting.lastIndex(of: index) { waiting.remove(at: place) }
        running[index] = Running(began: now)
    }

    /// The work on a file has come to a place.
    mutating func reach(_ place: Place, of index: Int) { running[index]?.place = place }

    /// A file is done.
    mutating func end(_ index: Int, at now: Double) {
        guard let ended = running.removeValue(forKey: index) else { return }
        done += 1
        let (work, place, took) = (works[index], ended.place, max(0, now - ended.began))
        let each = place.each
        // What of the time was for no case was for all of them.
        let cases = Double(place.cases) * (each ?? min(expectedEach(work), took / Double(place.cases + 1)))
        learn(work, once: max(0, took - cases), each: each)
    }

    /// How many seconds the rest will take; nil where too little is known.
    func secondsLeft(at now: Double) -> Double? {
        guard done > 0 || running.values.contains(where: { $0.place.cases > 0 || ($0.place.share ?? 0) > 0.02 }) else {
            return nil
        }
        let waiting = expectedOfWaiting()
        var ends = running.map { left(of: works[$0.key], $0.value, now) }.sorted()
        ends += Array(repeating: 0, count: max(0, jobs - ends.count))
        // Each file that waits goes to whoever is free first.
        for seconds in waiting {
            let place = ends.indices.min { ends[$0] < ends[$1] } ?? 0
            ends[place] += seconds
        }
        return Self.shared(ends.filter { $0 > 0 }.sorted(), jobs: jobs)
    }

    // MARK: Learning

    private mutating func learn(_ work: Work, once: Double, each: Double?) {
        func add(to learned: inout Learned) {
            learned.once.add(once, expected: work.cost.once)
            if let each { learned.each.add(each, expected: work.cost.each) }
        }
        if work.isTitle { return add(to: &titles) }
        add(to: &files)
        add(to: &kinds[work.kind, default: Learned(most: 8)])
    }

    private func expectedOnce(_ work: Work) -> Double {
        let usual = (work.isTitle ? titles : files).once.factor(1, weight: 0.5)
        return work.cost.once * (kinds[work.kind]?.once.factor(usual, weight: 2) ?? usual)
    }

    private func expectedEach(_ work: Work) -> Double {
        let usual = (work.isTitle ? titles : files).each.factor(1, weight: 0.5)
        return work.cost.each * (kinds[work.kind]?.each.factor(usual, weight: 2) ?? usual)
    }

    /// What each file that waits is expected to take, in the order in which they begin.
    private func expectedOfWaiting() -> [Double] {
        var factors: [String: (once: Double, each: Double)] = [:]
        return waiting.reversed().map { index in
            let work = works[index]
            let known =
                factors[work.kind]
                ?? (expectedOnce(work) / work.cost.once, expectedEach(work) / work.cost.each)
            factors[work.kind] = known
            return work.cost.once * known.once + work.cost.each * known.each * Double(work.cases)
        }
    }

    // MARK: What runs

    private func left(of work: Work, _ running: Running, _ now: Double) -> Double {
        let place = running.place
        let usual = expectedEach(work)
        guard place.cases == 0 else {
            // The file's own cases tell most of what the others will take.
            let known = Double(place.times.count)
            let own = ((place.each ?? usual) * known + usual * 2) / (known + 2)
            return own * Double(max(0, work.cases - place.cases))
        }
        let elapsed = max(0, now - running.began)
        return onceLeft(expectedOnce(work), elapsed, place.share) + usual * Double(work.cases)
    }

    /// What is left of what is done once: by what was expected, and the more by what is done, the more that is.
    private func onceLeft(_ expected: Double, _ elapsed: Double, _ share: Double?) -> Double {
        let blind = Self.rest(mean: max(expected, 1e-6), after: elapsed)
        guard let share, share > 0, elapsed > 0 else { return blind }
        let known = min(share, 1)
        let seen = elapsed * (1 - known) / known
        let weight = known / (known + 0.05)
        return seen * weight + blind * (1 - weight)
    }

    /// What is to be expected yet of something that was to take so long and has taken so long already, where a third
    /// of all take less than half or more than twice as long: log-normal.
    private static func rest(mean: Double, after elapsed: Double) -> Double {
        guard elapsed > 0 else { return mean }
        let sigma = 0.9
        let middle = log(mean) - sigma * sigma / 2
        func tail(_ value: Double) -> Double { erfc(value / 2.0.squareRoot()) / 2 }
        let place = (log(elapsed) - middle) / sigma
        let later = tail(place)
        // Far beyond all that was expected it will take about as long again.
        guard later > 1e-6 else { return elapsed }
        return min(elapsed * 2, max(0, mean * tail(place - sigma) / later - elapsed) + mean / 1e3)
    }

    /// How long until all have ended, where who is left gets the cores of those that are done: a second core brings
    /// a quarter as much again, and more than three bring no more.
    private static func shared(_ ends: [Double], jobs: Int) -> Double {
        var now = 0.0
        var worked = 0.0
        for (place, end) in ends.enumerated() {
            let cores = max(1, jobs / (ends.count - place))
            now += (end - worked) / (1 + 0.25 * Double(min(cores, 3) - 1))
            worked = end
        }
        return now
    }
}
