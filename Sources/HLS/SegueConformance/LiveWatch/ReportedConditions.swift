/// A rule that a playlist breaks at the moment.
package struct HeldCondition: Sendable, Hashable {
    /// The ID of the rule.
    package let rule: String
    /// The URL of the playlist.
    package let playlist: String

    package init(rule: String, playlist: String) { (self.rule, self.playlist) = (rule, playlist) }
}

/// The conditions that were reported and still hold, so that each is reported once.
struct ReportedConditions: Sendable {
    /// The prefix of the conditions that samples of the media show.
    static let ofMedia = "media "

    /// The IDs of the broken rules by the names of the conditions.
    private var rulesByName: [String: Set<String>] = [:]

    /// The IDs of the broken rules.
    var rules: Set<String> { rulesByName.values.reduce(into: []) { $0.formUnion($1) } }

    /// Ends the conditions with a prefix, besides some.
    mutating func end(_ prefix: String, besides others: [String: [Breach]]) {
        rulesByName = rulesByName.filter { !$0.key.hasPrefix(prefix) || others[$0.key] != nil }
    }

    /// Returns the breaches of a condition if it was not reported yet; without breaches, the condition ends.
    mutating func once(_ name: String, _ breaches: [Breach]) -> [Breach] {
        guard !breaches.isEmpty else {
            rulesByName[name] = nil
            return []
        }
        defer { rulesByName[name] = Set(breaches.map(\.rule.id)) }
        return rulesByName[name] == nil ? breaches : []
    }
}
