/// The conditions that were reported and still hold, so that each is reported once.
struct ReportedConditions: Sendable {
    private var names: Set<String> = []

    /// Returns the breaches of a condition if it was not reported yet; without breaches, the condition ends.
    mutating func once(_ name: String, _ breaches: [Breach]) -> [Breach] {
        guard !breaches.isEmpty else {
            names.remove(name)
            return []
        }
        return names.insert(name).inserted ? breaches : []
    }
}
