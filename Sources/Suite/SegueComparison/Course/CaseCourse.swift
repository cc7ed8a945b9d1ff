/// What became of a case in one run after the other.
package struct CaseCourse: Sendable, Equatable {
    /// A run that had the case.
    package struct Point: Sendable, Equatable {
        /// The run's number in the history, and what is known of it.
        package var run: Int64
        package var facts: RunFacts
        /// What became of the case, and what was measured.
        package var result: RecordedCase

        /// A run that had the case.
        package init(run: Int64, facts: RunFacts, result: RecordedCase) {
            (self.run, self.facts, self.result) = (run, facts, result)
        }
    }

    /// Which case.
    package let name: RecordedCase.Name
    /// The runs, the first one first.
    package let points: [Point]

    /// A case's course.
    package init(name: RecordedCase.Name, points: [Point]) { (self.name, self.points) = (name, points) }

    /// The figures of a metric, nil where it does not apply.
    package func figures(of metric: String) -> [Double?] {
        points.map { $0.result.metrics[metric]?.number }
    }

    /// The names of the metrics that have a figure in any run, those that are judged first.
    package var metrics: [String] {
        let names = Set(points.flatMap { $0.result.metrics.filter { $0.value.number != nil }.keys })
        let judged = MetricMeaning.all.map(\.name).filter(names.contains)
        return judged + names.subtracting(judged).sorted()
    }

    /// The metric that is shown where nobody names one: the one that has changed most, by what anybody would notice.
    package var tellingMetric: String? {
        func steps(_ name: String) -> Double {
            let figures = figures(of: name).compactMap(\.self)
            guard let low = figures.min(), let high = figures.max(), let meaning = MetricMeaning.of(name) else {
                return 0
            }
            let least = meaning.tolerance(from: low, MetricSpread([]))
            return (high - low) / max(least, meaning.unit.isEmpty ? 1 : 1e-6)
        }
        let names = metrics
        guard let most = names.max(by: { steps($0) < steps($1) }), steps(most) > 1 else { return names.first }
        return most
    }
}

/// Figures as a row of blocks.
package enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// A row with a sign for each figure, from the least to the greatest; a gap where there is none.
    package static func text(_ figures: [Double?]) -> String {
        let known = figures.compactMap(\.self).filter(\.isFinite)
        guard let low = known.min(), let high = known.max() else { return String(repeating: " ", count: figures.count) }
        return String(
            figures.map { figure in
                guard let figure, figure.isFinite else { return " " }
                // Figures that are all the same stand at the bottom, so that what rises is seen.
                let share = high > low ? (figure - low) / (high - low) : 0
                return blocks[min(blocks.count - 1, max(0, Int((share * Double(blocks.count - 1)).rounded())))]
            }
        )
    }

    /// A row with a sign for each verdict.
    package static func text(_ verdicts: [RecordedCase.Verdict]) -> String {
        String(
            verdicts.map { verdict in
                switch verdict {
                case .pass: "·"
                case .known: "k"
                case .fail: "✗"
                case .skip: "–"
                case .broken: "?"
                }
            }
        )
    }
}
