package import SegueData

/// For which cases a rule or a known issue holds.
package struct CaseScope: Sendable, Equatable {
    /// Patterns of titles or files, tags of titles, and names of scenarios, platforms, networks and app policies, of each
    /// of which a case must have one; nil for all.
    package var titles: [NamePattern]?
    package var tags: [String]?
    package var scenarios: [String]?
    package var platforms: [String]?
    package var networks: [String]?
    package var apps: [String]?

    /// All cases.
    package init() {}

    /// Whether it holds for a case.
    ///
    /// - Parameters:
    ///   - caseTags: The tags of the case's title; files have none.
    /// - Returns: Whether the case is in it.
    package func holds(for name: CaseName, tags caseTags: [String] = []) -> Bool {
        func admits(_ names: [String]?, _ name: String) -> Bool { names.map { $0.contains(name) } ?? true }
        return admits(scenarios, name.scenario) && admits(platforms, name.platform)
            && admits(networks, name.network) && admits(apps, name.app)
            && tags.map { !Set($0).isDisjoint(with: caseTags) } ?? true
            && titles.map { $0.contains { $0.matches(name.file) } } ?? true
    }

    /// Takes a scope's keys out of those of a rule or known issue.
    ///
    /// - Parameters:
    ///   - names: The scenarios, platforms, networks and app policies that there are; nil where nothing is known of
    ///     them.
    /// - Throws: ``HarnessError`` for an empty list, or a name that is not there.
    init(_ fields: inout HarnessFields, _ names: DataNames?) throws(HarnessError) {
        titles = try Self.list("titles", &fields)?.map(NamePattern.init)
        tags = try Self.list("tags", &fields)
        scenarios = try Self.names("scenarios", of: .scenarios, names, &fields)
        platforms = try Self.names("platforms", of: .platforms, names, &fields)
        networks = try Self.names("networks", of: .networks, names, &fields)
        apps = try Self.names("apps", of: .apps, names, &fields)
    }

    private static func list(_ key: String, _ fields: inout HarnessFields) throws(HarnessError) -> [String]? {
        guard let list = try fields.texts(key) else { return nil }
        guard !list.isEmpty else { throw fields.error(key, "is empty, so it never holds; leave it out for all") }
        guard !list.contains("") else { throw fields.error(key, "has an entry without a text") }
        return list
    }

    private static func names(
        _ key: String,
        of kind: HarnessFolder.Kind,
        _ known: DataNames?,
        _ fields: inout HarnessFields
    ) throws(HarnessError) -> [String]? {
        guard let names = try list(key, &fields) else { return nil }
        for name in names {
            if let unknown = known?.unknown(name, of: kind) { throw fields.error(key, unknown.description) }
        }
        return names
    }
}
