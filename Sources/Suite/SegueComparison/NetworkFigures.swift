/// The distribution of a run's metrics over each network.
package struct NetworkFigures: Sendable, Equatable {
    /// The 10th, 50th, and 90th percentile.
    package struct Spread: Sendable, Equatable {
        package let low: Double
        package let middle: Double
        package let high: Double
    }

    private var figures: [String: [String: [Double]]] = [:]

    package init() {}

    /// Adds a case, if it was judged.
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

    /// The names of the networks.
    package var networks: [String] { figures.keys.sorted() }

    /// The spread of a metric over the cases of a network; nil without figures.
    package func spread(of metric: String, over network: String) -> Spread? {
        guard let sorted = figures[network]?[metric]?.sorted(), !sorted.isEmpty else { return nil }
        func part(_ share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
        return Spread(low: part(0.1), middle: part(0.5), high: part(0.9))
    }
}
