package import SegueComparison
package import SegueData

/// The cases that a rule or a known issue applies to.
package struct CaseScope: Sendable, Equatable {
    /// Patterns of titles or files, tags of titles, and names of scenarios, platforms, networks, and app policies.
    ///
    /// A case must match one of each; nil matches all.
    package var titles: [NamePattern]?
    package var tags: [String]?
    package var scenarios: [String]?
    package var platforms: [String]?
    package var networks: [String]?
    package var apps: [String]?

    package init() {}

    /// Returns whether a case is in the scope.
    ///
    /// `caseTags` are the tags of the case's title; files have none.
    package func holds(for name: CaseName, tags caseTags: [String] = []) -> Bool {
        func admits(_ names: [String]?, _ name: String) -> Bool { names.map { $0.contains(name) } ?? true }
        return admits(scenarios, name.scenario) && admits(platforms, name.platform)
            && admits(networks, name.network) && admits(apps, name.app)
            && tags.map { !Set($0).isDisjoint(with: caseTags) } ?? true
            && titles.map { $0.contains { $0.matches(name.file) } } ?? true
    }

    /// Reads the keys of a scope from a rule or known issue.
    ///
    /// `names` are the known names of data files; nil skips the check.
    ///
    /// - Throws: ``HarnessError`` for an empty list or an unknown name.
    init(_ fields: inout HarnessFields, _ names: DataNames?) throws(HarnessError) {
        titles = try Self.list("titles", &fields)?.map(NamePattern.init)
        tags = try Self.list("tags", &fields)
        scenarios = try Self.names("scenarios", of: .scenarios, known: names, in: &fields)
        platforms = try Self.names("platforms", of: .platforms, known: names, in: &fields)
        networks = try Self.names("networks", of: .networks, known: names, in: &fields)
        apps = try Self.names("apps", of: .apps, known: names, in: &fields)
    }

    private static func list(_ key: String, _ fields: inout HarnessFields) throws(HarnessError) -> [String]? {
        guard let list = try fields.texts(key) else { return nil }
        guard !list.isEmpty else {
            throw fields.error(key, "is empty and matches nothing; omit it to match everything")
        }
        guard !list.contains("") else { throw fields.error(key, "has an empty entry") }
        return list
    }

    private static func names(
        _ key: String,
        of kind: HarnessFolder.Kind,
        known: DataNames?,
        in fields: inout HarnessFields
    ) throws(HarnessError) -> [String]? {
        guard let names = try list(key, &fields) else { return nil }
        for name in names {
            if let unknown = known?.unknown(name, of: kind) { throw fields.error(key, unknown.description) }
        }
        return names
    }
}
