internal import SegueBase

extension Vocabulary {
    /// Returns a trial that resembles another one.
    ///
    /// - Parameters:
    ///   - parent: The trial to change.
    ///   - moments: The times of its events.
    ///   - other: A second trial, whose end may be used.
    ///   - random: The source of randomness.
    /// - Returns: The trial.
    func mutant(of parent: Trial, moments: [Duration], and other: Trial, _ random: inout SeededRandom) -> Trial {
        var trial = parent
        repeat { change(&trial, moments: moments, other: other, &random) } while random.nextUnit() < 0.4
        while trial.steps.count > Vocabulary.mostSteps { trial.steps.removeLast() }
        while let last = trial.instants.last, last > Trial.longest { trial.steps.removeLast() }
        return trial
    }

    private func change(
        _ trial: inout Trial,
        moments: [Duration],
        other: Trial,
        _ random: inout SeededRandom
    ) {
        let count = trial.steps.count
        let index = count > 0 ? Int.random(in: 0..<count, using: &random) : nil
        switch (random.nextUnit(), index) {
        case (..<0.25, _), (_, nil):
            let place = Int.random(in: 0...count, using: &random)
            trial.steps.insert(.init(after: gap(&random), act(&random, length: trial.length)), at: place)
        case (..<0.35, let index?): if count > 1 { trial.steps.remove(at: index) }
        case (..<0.5, let index?): trial.steps[index].after = gap(&random)
        case (..<0.75, let index?):
            // Just before, at, or just after an event.
            guard let moment = moments.randomElement(using: &random) else { return }
            let distance = [-100, -10, -1, 0, 0, 1, 10, 100].randomElement(using: &random) ?? 0
            trial = trial.moving(index, to: moment + .milliseconds(distance))
        case (..<0.83, let index?): trial.steps[index].act = act(&random, length: trial.length)
        case (..<0.91, _): trial.conditions = conditions(&random)
        case (..<0.94, _): trial.seed = random.next() % 1000
        case (..<0.97, _): trial.length = length(&random)
        case (_, let index?):
            let end = other.steps.suffix(Int.random(in: 0...other.steps.count, using: &random))
            trial.steps = Array(trial.steps[...index] + end)
        }
    }
}
