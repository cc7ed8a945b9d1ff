/// The trials that each change to the app's declarations gets in a search.
///
/// Every second trial makes a change: the one with the fewest trials of those that have broken no rule yet. Random
/// choices would leave some changes almost without trials.
struct VariationShares: Sendable {
    /// The number of trials of each change that has broken no rule.
    private var trials: [Int]

    /// The changes that have broken a rule.
    private var found: Set<Int> = []

    private var isChanging = true

    /// - Parameter count: The number of changes.
    init(count: Int) { trials = Array(repeating: 0, count: count) }

    /// Returns the change of the next trial, and the number of its earlier trials; nil for a trial without a change.
    mutating func next() -> (variation: Int, earlier: Int)? {
        defer { isChanging.toggle() }
        let open = trials.indices.filter { !found.contains($0) }
        guard isChanging, let next = open.min(by: { trials[$0] < trials[$1] }) else { return nil }
        defer { trials[next] += 1 }
        return (next, trials[next])
    }

    /// Ends the trials of a change that has broken a rule.
    mutating func find(_ variation: Int) { found.insert(variation) }
}
