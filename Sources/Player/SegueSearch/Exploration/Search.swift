internal import SegueBase

/// A search for runs that violate a rule, which minimizes its findings.
///
/// It hands out trials in batches and receives their outcomes in the same order, so that its course does not depend on
/// parallelism.
package struct Search: Sendable {
    /// The number of trials in a batch.
    package static let batchSize = 16

    private static let mostKept = 1000
    /// The number of random candidates, of which the one with the most new pairs is run.
    private static let candidates = 4
    /// One trial of this number is a long one of several episodes.
    private static let storyInterval = 4

    private let vocabulary: Vocabulary
    private let limit: Int
    private let stopsAtFirst: Bool
    private var random: SeededRandom
    /// The source of long trials, which leaves the others as they would be without them.
    private var stories: SeededRandom

    /// The number of trials run.
    package private(set) var runs = 0

    /// The findings, in order.
    package private(set) var findings: [Found] = []

    /// The trials with new behavior.
    private var corpus: [(trial: Trial, moments: [Duration])] = []
    private var features: Set<UInt64> = []
    private var pairs = PairCoverage()
    private var shares: VariationShares

    /// The rules that are not reported, with their violations.
    package private(set) var waived: [String: Waived]

    private var rules: Set<String> = []
    private var waiting: [(trial: Trial, broken: Outcome.Broken, runs: Int)] = []
    private var shrinker: Shrinker?
    private var foundAfter = 0
    private var underWay: [Trial] = []
    private var isOver = false

    /// A search.
    ///
    /// - Parameters:
    ///   - vocabulary: The possible acts in trials.
    ///   - seed: The seed of the search.
    ///   - limit: The maximum number of trials before minimization.
    ///   - stopsAtFirst: True if the search ends with the first violation.
    ///   - waived: The rules that are not reported.
    package init(
        _ vocabulary: Vocabulary,
        seed: UInt64,
        limit: Int,
        stopsAtFirst: Bool,
        waived: some Sequence<String> = []
    ) {
        (self.vocabulary, self.limit, self.stopsAtFirst) = (vocabulary, limit, stopsAtFirst)
        self.waived = Dictionary(waived.map { ($0, Waived()) }) { first, _ in first }
        random = SeededRandom(seed: seed)
        stories = SeededRandom(seed: seed &+ 0x5E97_E57A)
        shares = VariationShares(count: vocabulary.variations)
    }

    /// Ends the search.
    ///
    /// A minimization in progress stops where it is.
    package mutating func end() {
        isOver = true
        finishShrinking()
    }

    /// Returns the next trials to run; none when the search is over.
    package mutating func batch() -> [Trial] {
        underWay = nextBatch()
        return underWay
    }

    private mutating func nextBatch() -> [Trial] {
        while !isOver {
            if shrinker != nil {
                let batch = shrinker?.batch() ?? []
                if !batch.isEmpty { return batch }
                finishShrinking()
                continue
            }
            if !waiting.isEmpty {
                let next = waiting.removeFirst()
                guard rules.insert(next.broken.rule).inserted else { continue }
                foundAfter = next.runs
                shrinker = Shrinker(next.trial, breaking: next.broken, vocabulary)
                continue
            }
            guard runs < limit, !(stopsAtFirst && !findings.isEmpty) else { break }
            return (0..<min(Search.batchSize, limit - runs)).map { index in
                let isStory = index % Search.storyInterval == Search.storyInterval - 1
                var trial = isStory ? vocabulary.story(&stories) : trial()
                if let share = shares.next() {
                    if let usual = vocabulary.leaving(share.earlier) { trial = usual }
                    trial.variation = share.variation
                }
                pairs.cover(trial)
                return trial
            }
        }
        isOver = true
        return []
    }

    private mutating func finishShrinking() {
        guard let done = shrinker else { return }
        findings.append(Found(broken: done.broken, trial: done.trial, border: done.border, runs: foundAfter))
        shrinker = nil
    }

    private mutating func trial() -> Trial {
        guard random.nextUnit() < 0.75, let parent = corpus.randomElement(using: &random),
            let other = corpus.randomElement(using: &random)
        else { return fresh() }
        return vocabulary.mutant(of: parent.trial, moments: parent.moments, and: other.trial, &random)
    }

    /// Returns the random trial with the most new pairs among some candidates.
    private mutating func fresh() -> Trial {
        var best = vocabulary.trial(&random)
        var gain = pairs.gain(of: best)
        for _ in 1..<Search.candidates {
            let other = vocabulary.trial(&random)
            let more = pairs.gain(of: other)
            if more > gain { (best, gain) = (other, more) }
        }
        return best
    }

    /// True if the first violation in a batch suffices, so that the trials after it need not run.
    ///
    /// A trial that hangs takes seconds of real time.
    package var stopsAtHang: Bool { shrinker?.broken.rule == Outcome.Broken.hang }

    /// Receives the outcomes of a batch.
    ///
    /// - Parameter outcomes: The outcome of each trial, in the order of the batch. Those after a hang may be missing if
    ///   ``stopsAtHang`` is true.
    package mutating func receive(_ outcomes: [Outcome]) {
        if shrinker != nil {
            shrinker?.receive(outcomes)
            return
        }
        for (trial, outcome) in zip(underWay, outcomes) {
            runs += 1
            if let variation = trial.variation, !outcome.broken.isEmpty { shares.find(variation) }
            for broken in outcome.broken where !rules.contains(broken.rule) {
                if waived[broken.rule] != nil {
                    waived[broken.rule]?.count(broken)
                } else {
                    waiting.append((trial, broken, runs))
                }
            }
            let before = features.count
            features.formUnion(outcome.footprint.features)
            guard features.count > before else { continue }
            if corpus.count >= Search.mostKept { corpus.remove(at: Int.random(in: 0..<corpus.count, using: &random)) }
            corpus.append((trial, outcome.footprint.moments))
        }
        // The shortest trial is the fastest to minimize.
        waiting.sort { ($0.trial.steps.count, $0.runs) < ($1.trial.steps.count, $1.runs) }
    }
}
