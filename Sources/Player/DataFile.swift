internal import Yams

/// What is wrong with a data file (a platform or an app policy), and where.
package struct DataFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file as it was named to the reader.
    package let file: String

    /// The line, from 1; nil when it is about the whole file.
    package let line: Int?

    /// The key, with the sections that it is in, such as `service.latency`; empty when it is about the whole file.
    package let key: String

    /// What is wrong with it.
    package let reason: String

    package var description: String {
        file + (line.map { ":\($0)" } ?? "") + ": " + (key.isEmpty ? "" : "\(key): ") + reason
    }
}

/// A section of a data file: keys, each with a plain value, a sourced value or a further section.
///
/// Every key that the file has must be asked for before ``finish()``; that is how a misspelled one is found.
struct DataSection {
    private let file: String
    private let path: String
    private let line: Int?
    private let entries: [(key: String, line: Int?, node: Node)]
    private var asked: [String] = []

    /// The whole of a file.
    init(file: String, text: String) throws(DataFileError) {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            let (line, reason) = DataSection.explain(error)
            throw DataFileError(file: file, line: line, key: "", reason: "is not YAML: \(reason)")
        } catch {
            throw DataFileError(file: file, line: nil, key: "", reason: "is not YAML: \(error)")
        }
        guard let node else { throw DataFileError(file: file, line: nil, key: "", reason: "is empty") }
        try self.init(file: file, path: "", node: node)
    }

    private init(file: String, path: String, node: Node) throws(DataFileError) {
        self.file = file
        self.path = path
        line = node.mark?.line
        guard let mapping = node.mapping else {
            throw DataFileError(file: file, line: line, key: path, reason: "must be keys with values")
        }
        var entries: [(key: String, line: Int?, node: Node)] = []
        for (key, value) in mapping {
            guard let name = key.string else {
                throw DataFileError(file: file, line: key.mark?.line, key: path, reason: "has a key that is not text")
            }
            guard !entries.contains(where: { $0.key == name }) else {
                throw DataFileError(file: file, line: key.mark?.line, key: name, reason: "stands twice")
            }
            entries.append((name, key.mark?.line, value))
        }
        self.entries = entries
    }

    /// A plain value.
    mutating func value(_ key: String) throws(DataFileError) -> DataValue {
        let entry = try entry(key)
        return try DataValue(file: file, key: fullKey(key), line: entry.line, node: entry.node)
    }

    /// A section inside this one.
    mutating func section(_ key: String) throws(DataFileError) -> DataSection {
        try DataSection(file: file, path: fullKey(key), node: try entry(key).node)
    }

    /// A value that says where it is from: `{ value: …, source: … }`.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - sources: Takes the source under the full key.
    ///   - read: Makes the value from what the file has.
    /// - Returns: The value.
    /// - Throws: ``DataFileError`` when it is missing, wrong or without a source.
    mutating func sourced<Value>(
        _ key: String,
        into sources: inout [String: String],
        _ read: (DataValue) throws(DataFileError) -> Value
    ) throws(DataFileError) -> Value {
        var section = try section(key)
        let value = try read(try section.value("value"))
        let source = try section.value("source").text()
        guard !source.isEmpty else {
            throw DataFileError(file: file, line: section.line, key: fullKey(key), reason: "its source is empty")
        }
        try section.finish()
        sources[fullKey(key)] = source
        return value
    }

    /// Checks that nothing but what was asked for is there.
    func finish() throws(DataFileError) {
        guard let stranger = entries.first(where: { !asked.contains($0.key) }) else { return }
        let missing = asked.filter { name in !entries.contains { $0.key == name } }
        let nearest = NearestName.of(stranger.key, among: missing.isEmpty ? asked : missing)
        throw DataFileError(
            file: file,
            line: stranger.line,
            key: fullKey(stranger.key),
            reason: "is not a key here; " + (nearest.map { "did you mean \($0)?" } ?? "none is allowed")
        )
    }

    private mutating func entry(_ key: String) throws(DataFileError) -> (line: Int?, node: Node) {
        asked.append(key)
        if let entry = entries.first(where: { $0.key == key }) { return (entry.line, entry.node) }
        // A misspelled key is the likelier cause, and names its line.
        let similar = entries.first { NearestName.distance($0.key, key) <= 2 }
        if let similar {
            throw DataFileError(
                file: file,
                line: similar.line,
                key: fullKey(similar.key),
                reason: "is not a key here; did you mean \(key)?"
            )
        }
        throw DataFileError(file: file, line: line, key: fullKey(key), reason: "is missing")
    }

    private func fullKey(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private static func explain(_ error: YamlError) -> (line: Int?, reason: String) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            (mark.line, problem)
        default:
            (nil, "\(error)".split(separator: "\n").first.map(String.init) ?? "unreadable")
        }
    }
}
