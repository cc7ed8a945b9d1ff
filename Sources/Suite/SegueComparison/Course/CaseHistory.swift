/// The results of a case over the runs of a history.
package struct CaseHistory: Sendable, Equatable {
    /// A run with its result.
    package struct Point: Sendable, Equatable {
        /// The number of the run in the history, and its facts.
        package var run: Int64
        package var facts: RunFacts
        package var result: RecordedCase

        package init(run: Int64, facts: RunFacts, result: RecordedCase) {
            (self.run, self.facts, self.result) = (run, facts, result)
        }
    }

    package let name: CaseName
    /// The runs, the oldest first.
    package let points: [Point]

    package init(name: CaseName, points: [Point]) { (self.name, self.points) = (name, points) }

    /// The figures of a metric, nil where it does not apply.
    package func figures(of metric: String) -> [Double?] {
        points.map { $0.result.metrics[metric]?.number }
    }

    /// The names of the metrics with figures, the judged ones first.
    package var metrics: [String] {
        let names = Set(points.flatMap { $0.result.metrics.filter { $0.value.number != nil }.keys })
        let judged = MetricDefinition.all.map(\.name).filter(names.contains)
        return judged + names.subtracting(judged).sorted()
    }

    /// The default metric: the one with the largest change relative to its noticeable difference.
    package var tellingMetric: String? {
        func steps(_ name: String) -> Double {
            let figures = figures(of: name).compactMap(\.self)
            guard let low = figures.min(), let high = figures.max(), let meaning = MetricDefinition.of(name) else {
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

/// Figures as a row of block characters.
package enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// A row with a block for each figure, and a space for each that is missing.
    package static func text(_ figures: [Double?]) -> String {
        let known = figures.compactMap(\.self).filter(\.isFinite)
        guard let low = known.min(), let high = known.max() else { return String(repeating: " ", count: figures.count) }
        return String(
            figures.map { figure in
                guard let figure, figure.isFinite else { return " " }
                // Constant figures are drawn at the bottom, so that a rise is visible.
                let share = high > low ? (figure - low) / (high - low) : 0
                return blocks[min(blocks.count - 1, max(0, Int((share * Double(blocks.count - 1)).rounded())))]
            }
        )
    }

    /// A row with a character for each verdict.
    package static func text(_ verdicts: [Verdict]) -> String {
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
