internal import SegueBase

/// A search for runs that break a rule, which shrinks what it finds.
///
/// It hands out trials in batches and takes what came of them in the same order, so that it goes the same way however many
/// are run at a time.
package struct Search: Sendable {
    /// How many trials are handed out at a time.
    package static let batchSize = 16

    private static let mostKept = 1000
    /// Of how many trials out of nothing the one is run that has most pairs which none had.
    private static let candidates = 4

    private let vocabulary: Vocabulary
    private let limit: Int
    private let stopsAtFirst: Bool
    private var random: SeededRandom

    /// How many trials were run.
    package private(set) var runs = 0

    /// What was found, in order.
    package private(set) var findings: [Found] = []

    /// What trials did that did something new.
    private var corpus: [(trial: Trial, moments: [Duration])] = []
    private var features: Set<UInt64> = []
    private var pairs = PairCoverage()

    private var rules: Set<String> = []
    private var waiting: [(trial: Trial, broken: Outcome.Broken, runs: Int)] = []
    private var shrinker: Shrinker?
    private var foundAfter = 0
    private var underWay: [Trial] = []
    private var isOver = false

    /// A search.
    ///
    /// - Parameters:
    ///   - vocabulary: What may happen.
    ///   - seed: Decides which way it goes.
    ///   - limit: How many trials it may look for a broken rule in; shrinking takes what it takes.
    ///   - stopsAtFirst: Whether it is over once one rule is found broken.
    package init(_ vocabulary: Vocabulary, seed: UInt64, limit: Int, stopsAtFirst: Bool) {
        (self.vocabulary, self.limit, self.stopsAtFirst) = (vocabulary, limit, stopsAtFirst)
        random = SeededRandom(seed: seed)
    }

    /// Has it end: what is being shrunk stays as it is.
    package mutating func end() {
        isOver = true
        finishShrinking()
    }

    /// What is to be run next; empty once it is over.
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
                shrinker = Shrinker(next.trial, next.broken, vocabulary)
                continue
            }
            guard runs < limit, !(stopsAtFirst && !findings.isEmpty) else { break }
            return (0..<min(Search.batchSize, limit - runs)).map { _ in
                let trial = trial()
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

    /// A trial out of nothing, of some the one that covers most.
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

    /// Takes what came of a batch.
    ///
    /// - Parameter outcomes: What came of each trial, in the order of the batch.
    package mutating func take(_ outcomes: [Outcome]) {
        if shrinker != nil {
            shrinker?.take(outcomes)
            return
        }
        for (trial, outcome) in zip(underWay, outcomes) {
            runs += 1
            for broken in outcome.broken where !rules.contains(broken.rule) { waiting.append((trial, broken, runs)) }
            let before = features.count
            features.formUnion(outcome.footprint.features)
            guard features.count > before else { continue }
            if corpus.count >= Search.mostKept { corpus.remove(at: Int.random(in: 0..<corpus.count, using: &random)) }
            corpus.append((trial, outcome.footprint.moments))
        }
        // The shortest is the quickest to be shrunk.
        waiting.sort { ($0.trial.steps.count, $0.runs) < ($1.trial.steps.count, $1.runs) }
    }
}
