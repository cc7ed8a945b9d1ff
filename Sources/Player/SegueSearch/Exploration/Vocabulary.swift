internal import SegueBase

/// The possible acts in the trials of a search, and their random choice.
package struct Vocabulary: Sendable {
    /// The app's buttons.
    package var buttons: [Act.Button]
    /// The labels of custom buttons.
    package var named: [String] = []
    /// True if there is a slider.
    package var seeks = false
    /// The rates to choose from.
    package var rates: [Double] = []
    /// The number of titles to choose from.
    package var titles = 0
    /// True if the search chooses the network.
    package var hasOwnNetwork = true
    /// The possible durations of titles in seconds, the usual one first; one if the search must not choose.
    package var lengths = [600, 60, 20, 8]
    /// The possible acts of the device and the network.
    package var surroundings = Vocabulary.allSurroundings

    /// The number of changes to the app's declarations, of which a trial may make one.
    package var variations = 0

    /// All acts of the device and the network, for an app whose audio the Ring/Silent switch does not silence.
    package static let allSurroundings: [Act] =
        [
            .goHome, .lock, .comeBack, .comeBack, .interrupt, .endInterruption(shouldResume: true),
            .endInterruption(shouldResume: false), .route(.headphones), .route(.speaker), .route(.airplay),
            .resetServices, .warnOfMemory, .lowPower(true), .lowPower(false),
        ]

    /// The commands of a user from outside of the app.
    package static let remotes: [Act] = Act.Sender.allCases.flatMap { sender in
        [Act.remote(.play, from: sender), .remote(.pause, from: sender)]
    }

    package init(buttons: [Act.Button]) { self.buttons = buttons }

    // MARK: Drawing

    /// Returns the first act of a user; nil if the app starts playback itself.
    func beginning(_ random: inout SeededRandom) -> Act? {
        var acts = buttons.filter { [.play, .toggle].contains($0) }.map(Act.press)
        if titles > 0 { acts.append(.choose(Int.random(in: 0..<titles, using: &random))) }
        acts += named.map(Act.named)
        // Most trials begin with play if there is such a button.
        if buttons.contains(.play), random.nextUnit() < 0.7 { return .press(.play) }
        return acts.randomElement(using: &random)
    }

    func act(_ random: inout SeededRandom, length: Int) -> Act {
        let share = random.nextUnit()
        if share < 0.5, let act = ofUser(&random, length: length) { return act }
        if share < 0.82, let act = surroundings.randomElement(using: &random) { return act }
        if share < 0.92 {
            let changes: [Act] = hasOwnNetwork ? [.network(conditions(&random))] : []
            return ([.offline, .online] + changes).randomElement(using: &random) ?? .online
        }
        return fault(&random)
    }

    /// Returns an act that often follows another one, such as its end, if one should follow.
    private func answer(to act: Act, _ random: inout SeededRandom) -> Act? {
        guard random.nextUnit() < 0.4 else { return nil }
        return switch act {
        case .goHome, .lock: .comeBack
        case .interrupt: .endInterruption(shouldResume: random.nextUnit() < 0.7)
        case .press(.pause): buttons.contains(.play) ? .press(.play) : nil
        case .offline: .online
        case .fault: .mend
        case .lowPower(true): .lowPower(false)
        default: nil
        }
    }

    private func ofUser(_ random: inout SeededRandom, length: Int) -> Act? {
        var kinds: [Act] = buttons.map(Act.press) + named.map(Act.named)
        if seeks { kinds += [.seek(0), .seek(0)] }
        if let rate = rates.randomElement(using: &random) { kinds.append(.rate(rate)) }
        if titles > 0 { kinds.append(.choose(Int.random(in: 0..<titles, using: &random))) }
        guard let act = kinds.randomElement(using: &random) else { return nil }
        guard case .seek = act else { return act }
        // A seek close to the end makes the end come soon.
        let isNearEnd = random.nextUnit() < 0.25
        let least = isNearEnd ? max(0, length - 10) : 0
        return .seek(Int.random(in: least...max(least, length - 1), using: &random))
    }

    private func fault(_ random: inout SeededRandom) -> Act {
        guard random.nextUnit() < 0.8 else { return .mend }
        let troubles: [Act.Trouble] = [
            .status(404), .status(503), .reset(after: 1000), .stall(seconds: Int.random(in: 2...30, using: &random)),
            .truncation(after: 1000),
        ]
        let kind = [Act.Kind.segment, .segment, .playlist, .any].randomElement(using: &random) ?? .any
        let count = [1, 1, 3, nil].randomElement(using: &random) ?? 1
        return .fault(troubles.randomElement(using: &random) ?? .status(404), kind, count: count)
    }

    /// Returns a random time between two steps: zero, or up to more than a minute, distributed logarithmically.
    func gap(_ random: inout SeededRandom) -> Duration {
        let most: Int
        switch random.nextUnit() {
        case ..<0.1: return .zero
        case ..<0.2: most = 50
        case ..<0.4: most = 1000
        case ..<0.65: most = 5000
        case ..<0.88: most = 20_000
        default: most = 70_000
        }
        return .milliseconds(Int.random(in: 0...most, using: &random))
    }

    func conditions(_ random: inout SeededRandom) -> Conditions {
        var conditions = Conditions.ideal
        if random.nextUnit() < 0.3 { return conditions }
        if hasOwnNetwork {
            conditions.rate = logarithmic(from: 60, to: 50_000, &random)
            conditions.delay = logarithmic(from: 1, to: 600, &random)
            if random.nextUnit() < 0.2 { conditions.loss = Int.random(in: 1...30, using: &random) }
        }
        if random.nextUnit() < 0.3 { conditions.think = logarithmic(from: 1, to: 3000, &random) }
        return conditions
    }

    func length(_ random: inout SeededRandom) -> Int {
        random.nextUnit() < 0.5 ? lengths.first ?? 600 : lengths.randomElement(using: &random) ?? 600
    }

    func trial(_ random: inout SeededRandom) -> Trial {
        let length = length(&random)
        var steps: [Trial.Step] = []
        if random.nextUnit() < 0.95, let act = beginning(&random) { steps.append(.init(after: .zero, act)) }
        for _ in 0..<Int.random(in: 1...7, using: &random) {
            var next: Act?
            if let last = steps.last { next = answer(to: last.act, &random) }
            steps.append(.init(after: gap(&random), next ?? act(&random, length: length)))
        }
        return Trial(
            seed: random.next() % 1000,
            conditions: conditions(&random),
            length: length,
            steps: steps
        )
    }

    /// Returns a trial that starts playback and leaves the app, on which the effects of declarations depend: one for each
    /// way to leave; nil for a higher number.
    func leaving(_ number: Int) -> Trial? {
        let ways: [Act] = [.goHome, .lock]
        guard ways.indices.contains(number), buttons.contains(.play), let length = lengths.first else { return nil }
        let steps = [Trial.Step(after: .zero, .press(.play)), Trial.Step(after: .seconds(10), ways[number])]
        return Trial(seed: 0, conditions: .ideal, length: length, steps: steps)
    }

    /// Returns a random number, in which each power of two is equally likely.
    private func logarithmic(from least: Int, to most: Int, _ random: inout SeededRandom) -> Int {
        var octaves = 0
        while least << (octaves + 1) <= most { octaves += 1 }
        let octave = least << Int.random(in: 0...octaves, using: &random)
        return min(most, Int.random(in: octave...(2 * octave - 1), using: &random))
    }
}
