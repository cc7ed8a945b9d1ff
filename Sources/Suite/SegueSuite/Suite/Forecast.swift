internal import Glibc

/// Estimates the end of a suite from the expected and the measured costs of its files.
///
/// Each kind of file has its own pace, learned from the latest files only: the largest come first, and their pace
/// applies less to the smallest. A single outlier is ignored.
struct Forecast {
    /// The expected work of a file, in seconds.
    struct Work: Sendable, Equatable {
        /// The kind of file whose pace applies.
        var kind: String
        var cost: CaseWork
        var cases: Int
        /// True if it is a title, whose estimate is unrelated to that of files.
        var isTitle = false
    }

    /// The progress on a file.
    struct Place: Sendable, Equatable {
        /// The number of cases that have ended.
        var cases = 0
        /// Their durations in seconds, as far as known.
        var times: [Double] = []
        /// The share of the fixed work that is done, from 0 to 1; nil if unknown.
        var share: Double?

        /// The duration of a case: the median, since the first case of each rendition has more to do.
        var each: Double? { times.count > 1 ? times.sorted()[(times.count - 1) / 2] : nil }
    }

    private struct Running {
        let began: Double
        var place = Place()
    }

    /// The ratio of measured to expected durations of the latest files.
    private struct Pace {
        private var last: [Double] = []
        private let most: Int

        init(most: Int) { self.most = most }

        mutating func add(_ taken: Double, expected: Double) {
            last.append(max(0, taken) / max(expected, 1e-6))
            if last.count > most { last.removeFirst() }
        }

        /// The factor for estimates, blended with a usual value by weight.
        ///
        /// Of five or more files, the slowest is ignored.
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
    /// The waiting files, the next one last.
    private var waiting: [Int]
    private var running: [Int: Running] = [:]
    private var kinds: [String: Learned] = [:]
    private var files = Learned(most: 24)
    private var titles = Learned(most: 24)
    private var done = 0

    /// `order` is the indices in the order of starting.
    ///
    /// `jobs` are the number of parallel files, at least 1.
    init(_ works: [Work], order: [Int], jobs: Int) {
        (self.works, self.jobs) = (works, max(1, jobs))
        waiting = order.reversed()
    }

    /// Starts the next file at a time in seconds.
    mutating func begin(_ index: Int, at now: Double) {
        if let place = waiting.lastIndex(of: index) { waiting.remove(at: place) }
        running[index] = Running(began: now)
    }

    /// Updates the progress on a file.
    mutating func reach(_ place: Place, of index: Int) { running[index]?.place = place }

    /// Completes a file.
    mutating func end(_ index: Int, at now: Double) {
        guard let ended = running.removeValue(forKey: index) else { return }
        done += 1
        let (work, place, took) = (works[index], ended.place, max(0, now - ended.began))
        let each = place.each
        // Time outside of cases belongs to the fixed work.
        let cases = Double(place.cases) * (each ?? min(expectedEach(work), took / Double(place.cases + 1)))
        learn(work, once: max(0, took - cases), each: each)
    }

    /// The estimated remaining time in seconds; nil if too little is known.
    func secondsLeft(at now: Double) -> Double? {
        guard done > 0 || running.values.contains(where: { $0.place.cases > 0 || ($0.place.share ?? 0) > 0.02 }) else {
            return nil
        }
        let waiting = expectedOfWaiting()
        var ends = running.map { left(of: works[$0.key], $0.value, now) }.sorted()
        ends += Array(repeating: 0, count: max(0, jobs - ends.count))
        // Each waiting file goes to the first free worker.
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

    /// The expected durations of the waiting files, in their order.
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
            // The finished cases of a file predict most of the others.
            let known = Double(place.times.count)
            let own = ((place.each ?? usual) * known + usual * 2) / (known + 2)
            return own * Double(max(0, work.cases - place.cases))
        }
        let elapsed = max(0, now - running.began)
        return onceLeft(of: expectedOnce(work), after: elapsed, share: place.share) + usual * Double(work.cases)
    }

    /// The remaining fixed work, by expectation, and increasingly by extrapolation as the share grows.
    private func onceLeft(of expected: Double, after elapsed: Double, share: Double?) -> Double {
        let blind = Self.rest(mean: max(expected, 1e-6), after: elapsed)
        guard let share, share > 0, elapsed > 0 else { return blind }
        let known = min(share, 1)
        let seen = elapsed * (1 - known) / known
        let weight = known / (known + 0.05)
        return seen * weight + blind * (1 - weight)
    }

    /// The expected remaining time of work with an expected duration after an elapsed time, under a log-normal
    /// distribution in which a third of all work takes less than half or more than twice the expectation.
    private static func rest(mean: Double, after elapsed: Double) -> Double {
        guard elapsed > 0 else { return mean }
        let sigma = 0.9
        let middle = log(mean) - sigma * sigma / 2
        func tail(_ value: Double) -> Double { erfc(value / 2.0.squareRoot()) / 2 }
        let place = (log(elapsed) - middle) / sigma
        let later = tail(place)
        // Far beyond the expectation, the work is expected to take as long again.
        guard later > 1e-6 else { return elapsed }
        return min(elapsed * 2, max(0, mean * tail(place - sigma) / later - elapsed) + mean / 1e3)
    }

    /// The time until all files have ended, where the remaining ones get the cores of finished ones: a second core adds
    /// a quarter of the speed, and more than three add none.
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
