internal import SegueBase

/// Long trials of several episodes, which random acts hardly ever form: outages one after the other, calls that end, and
/// returns to the app.
extension Vocabulary {
    /// A kind of episode.
    private enum Episode {
        case outage, failure, stall, call, pausedCall, away, pausedAway, headphones, end, pause, twice

        /// The kinds as often as they are chosen: those that act on the app's state of several outages or calls most often.
        static let weighted: [Episode] = [
            .outage, .outage, .failure, .failure, .failure, .failure, .stall, .call, .call, .pausedCall, .pausedCall,
            .away, .pausedAway, .headphones, .end, .end, .pause, .twice,
        ]
    }

    /// The maximum number of steps of a trial.
    static let mostSteps = 24

    /// Returns a trial of several episodes, often of the same kind.
    func story(_ random: inout SeededRandom) -> Trial {
        let length = length(&random)
        var steps = beginning(&random).map { [Trial.Step(after: .zero, $0)] } ?? []
        let isOfOneKind = random.nextUnit() < 0.6
        var kind = Episode.weighted.randomElement(using: &random) ?? .outage
        for _ in 0..<Int.random(in: 2...6, using: &random) {
            let next = episode(kind, length: length, &random)
            let end = (steps + next).reduce(Duration.zero) { $0 + $1.after }
            guard steps.count + next.count <= Vocabulary.mostSteps, end <= Trial.longest else { break }
            steps += next
            if !isOfOneKind { kind = Episode.weighted.randomElement(using: &random) ?? kind }
        }
        // Most of what goes wrong then is the app's, not the network's.
        let conditions = random.nextUnit() < 0.7 ? Conditions.ideal : conditions(&random)
        return Trial(seed: random.next() % 1000, conditions: conditions, length: length, steps: steps)
    }

    private func episode(_ kind: Episode, length: Int, _ random: inout SeededRandom) -> [Trial.Step] {
        func after(_ range: ClosedRange<Int>, _ act: Act) -> Trial.Step {
            .init(
                after: .milliseconds(Int.random(in: range.lowerBound * 1000...range.upperBound * 1000, using: &random)),
                act
            )
        }
        let (plays, pauses) = (buttons.contains(.play), buttons.contains(.pause))
        switch kind {
        case .outage: return [after(12...40, .offline), after(3...40, .online)]
        case .failure:
            let status = [404, 503].randomElement(using: &random) ?? 503
            let kind = [Act.Kind.segment, .any].randomElement(using: &random) ?? .any
            return [after(12...40, .fault(.status(status), kind, count: nil)), after(2...25, .mend)]
        case .stall:
            let seconds = Int.random(in: 15...40, using: &random)
            return [after(12...40, .fault(.stall(seconds: seconds), .segment, count: 1))]
        case .call:
            let shouldResume = random.nextUnit() < 0.7
            return [after(3...30, .interrupt), after(1...20, .endInterruption(shouldResume: shouldResume))]
        case .pausedCall where pauses:
            return [
                after(3...20, .press(.pause)), after(1...5, .interrupt),
                after(1...15, .endInterruption(shouldResume: true)),
            ] + (plays ? [after(4...10, .press(.play))] : [])
        case .away:
            let way = [Act.goHome, .lock].randomElement(using: &random) ?? .goHome
            return [after(3...30, way), after(2...40, .comeBack)]
        case .pausedAway where pauses:
            return [after(3...20, .press(.pause)), after(1...5, .goHome), after(2...15, .comeBack)]
                + (plays ? [after(4...10, .press(.play))] : [])
        case .headphones:
            return [after(3...20, .route(.headphones)), after(3...20, .route(.speaker))]
                + (plays ? [after(4...10, .press(.play))] : [])
        case .end where seeks && length > 20:
            // From there, the end comes soon.
            return [after(3...15, .seek(length - 10)), after(15...30, .route(.headphones))]
        case .end:
            let length = min(length, 60)
            return [after(length...length + 15, act(&random, length: length))]
        case .twice:
            let act = act(&random, length: length)
            return [after(3...15, act), .init(after: .milliseconds(Int.random(in: 50...400, using: &random)), act)]
        case .pause, .pausedCall, .pausedAway:
            return (pauses ? [after(3...20, .press(.pause))] : []) + (plays ? [after(1...10, .press(.play))] : [])
        }
    }
}
