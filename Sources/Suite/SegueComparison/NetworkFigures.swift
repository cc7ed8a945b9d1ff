/// What a run's metrics were like over each network: its figures in their order of size.
package struct NetworkFigures: Sendable, Equatable {
    /// The tenth from below, the one in the middle and the tenth from above, of a hundred.
    package struct Spread: Sendable, Equatable {
        package let low: Double
        package let middle: Double
        package let high: Double
    }

    private var figures: [String: [String: [Double]]] = [:]

    /// No figures.
    package init() {}

    /// Adds a case's, where it was judged.
    package mutating func add(_ one: RecordedCase) {
        guard one.verdict.isGood || one.verdict == .fail else { return }
        for (name, metric) in one.metrics {
            if let number = metric.number { figures[one.name.network, default: [:]][name, default: []].append(number) }
        }
        guard let stalled = one.metrics["stallSeconds"]?.number, let heard = one.metrics["heardSeconds"]?.number,
            heard + stalled > 0
        else { return }
        figures[one.name.network, default: [:]]["stallShare", default: []].append(stalled / (heard + stalled))
    }

    /// The networks, by name.
    package var networks: [String] { figures.keys.sorted() }

    /// How a metric was spread over a network's cases; nil where none had it.
    package func spread(of metric: String, over network: String) -> Spread? {
        guard let sorted = figures[network]?[metric]?.sorted(), !sorted.isEmpty else { return nil }
        func part(_ share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
        return Spread(low: part(0.1), middle: part(0.5), high: part(0.9))
    }
}
