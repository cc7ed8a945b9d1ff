internal import Foundation
internal import SegueBase
package import SegueData
internal import SegueFetch
internal import SeguePlaylists

/// A list of titles on a user's own server in YAML; `Harness/titles/README.md` describes its keys.
package struct TitleList: Sendable, Equatable {
    package let titles: [Title]

    /// The server to start before and stop afterwards; nil for one that is already running.
    package let server: ServerCommands?

    /// Reads a list.
    ///
    /// `given` are variables that override those of the list.
    ///
    /// - Throws: ``HarnessError`` for the first error, with file, line, and key.
    package init(
        fileAt path: String,
        given: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws(HarnessError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try self.init(HarnessFile.fields(ofFileAt: path), folder: folder, given: given, environment: environment)
    }

    /// Reads a list from text, with a file name for messages.
    package init(
        text: String,
        file: String,
        folder: String,
        given: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws(HarnessError) {
        let fields = try HarnessFile.fields(of: text, file: file)
        try self.init(fields, folder: folder, given: given, environment: environment)
    }

    private init(
        _ source: HarnessFields,
        folder: String,
        given: [String: String],
        environment: [String: String]
    ) throws(HarnessError) {
        var fields = source
        var variables: [String: String] = [:]
        let own = try fields.pairs("variables")
        for pair in own { variables[pair.name] = pair.value }
        if let unknown = given.keys.sorted().first(where: { variables[$0] == nil }) {
            throw HarnessError(
                file: fields.file,
                key: "variables",
                message: "have no \(unknown), which --set names: \(UnknownName(unknown, among: own.map(\.name)))"
            )
        }
        variables.merge(given) { _, given in given }
        var text = TitleText(variables: variables, environment: environment)
        for pair in own where given[pair.name] == nil {
            // A variable may use the environment, but no other variable.
            var alone = TitleText(variables: [:], environment: environment)
            variables[pair.name] = try alone.filled(pair.value, "variables", of: fields)
            text = TitleText(
                variables: variables,
                environment: environment,
                secrets: text.secrets.adding(alone.secrets)
            )
        }
        let base = try fields.text("base")
        let root = try base.map { base throws(HarnessError) in try text.filled(base, "base", of: fields) }
        if let root, FetchURL(root) == nil {
            throw fields.error("base", "is \(text.secrets.removed(from: root)), must be an http or https URL")
        }
        let usual = try TitleDefaults(&fields, &text, root: root)
        server = try ServerCommands(&fields, &text, folder: folder, root: root)
        let entries = try fields.list("titles")
        guard !entries.isEmpty else { throw fields.missing("titles", among: Self.keys) }
        try fields.finish()
        var titles: [Title] = []
        for entry in entries {
            let title = try Title(entry, text: &text, defaults: usual, folder: folder, root: root)
            if titles.contains(where: { $0.name == title.name }) {
                throw entry.error("name", "is \(title.name), which another title already has")
            }
            titles.append(title)
        }
        self.titles = titles.map { title in
            var title = title
            title.secrets.add(text.secrets)
            return title
        }
    }

    private static let keys = [
        "titles", "base", "variables", "server", "background", "headers", "user", "password", "scenarios", "networks",
        "tags", "budgets", "allow", "profile",
    ]
}
