internal import Foundation
internal import Yams

/// YAML data files.
package enum HarnessFile {
    /// Reads the mapping of a file.
    ///
    /// - Throws: ``HarnessError`` if the file cannot be read or is not a YAML mapping.
    package static func fields(ofFileAt path: String) throws(HarnessError) -> HarnessFields {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError(file: path, message: "cannot be read")
        }
        DataRecord.current?.add(data, of: path)
        guard let text = String(data: data, encoding: .utf8) else {
            throw HarnessError(file: path, message: "is not UTF-8 text")
        }
        return try fields(of: text, file: path)
    }

    /// Reads the mapping of a file, with keys inherited from the file that `based-on` names.
    ///
    /// - Parameters:
    ///   - kind: The kind of data.
    ///   - harness: The folder to search for a base that is not beside the file; nil for none.
    /// - Returns: The keys, to be consumed one by one.
    /// - Throws: ``HarnessError`` if a file cannot be read, is not a YAML mapping, or names a missing base.
    package static func fields(
        ofFileAt path: String,
        basedOn kind: HarnessFolder.Kind,
        in harness: HarnessFolder?
    ) throws(HarnessError) -> HarnessFields {
        try fields(try fields(ofFileAt: path), basedOn: kind, in: harness, depth: 0)
    }

    /// Reads the mapping of a text, with keys inherited from the file that `based-on` names.
    package static func fields(
        of text: String,
        file: String,
        basedOn kind: HarnessFolder.Kind,
        in harness: HarnessFolder? = nil
    ) throws(HarnessError) -> HarnessFields {
        try fields(try fields(of: text, file: file), basedOn: kind, in: harness, depth: 0)
    }

    private static let deepest = 20

    /// Follows a file's `based-on` to the end.
    private static func fields(
        _ own: HarnessFields,
        basedOn kind: HarnessFolder.Kind,
        in harness: HarnessFolder?,
        depth: Int
    ) throws(HarnessError) -> HarnessFields {
        var own = own
        guard let name = try own.text("based-on") else { return own }
        guard depth < deepest else {
            throw own.error("based-on", "forms a cycle, or a chain of more than \(deepest) files")
        }
        let beside = URL(fileURLWithPath: own.file).deletingLastPathComponent().appendingPathComponent("\(name).yaml")
        let path: String
        if FileManager.default.fileExists(atPath: beside.path) {
            path = beside.path
        } else {
            guard let harness else {
                throw own.error("based-on", "there is no \(beside.lastPathComponent) beside the file")
            }
            do {
                path = try harness.file(name, of: kind)
            } catch {
                throw own.error("based-on", error.message)
            }
        }
        var base = try fields(try fields(ofFileAt: path), basedOn: kind, in: harness, depth: depth + 1)
        // A name is never inherited: two profiles with one name would be indistinguishable.
        _ = try base.text("name")
        own.fill(from: base)
        return own
    }

    /// Returns the fields of a file that has all keys of its kind, for the advice in errors.
    ///
    /// - Parameters:
    ///   - kind: The kind of data.
    ///   - path: A file beside which the other may lie.
    ///   - harness: The folder to search if it does not; nil for none.
    /// - Returns: The fields; nil without such a file.
    package static func example(
        of kind: HarnessFolder.Kind,
        beside path: String,
        in harness: HarnessFolder?
    ) -> HarnessFields? {
        guard let name = kind.completeName else { return nil }
        let beside = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("\(name).yaml")
        return (try? fields(ofFileAt: beside.path))
            ?? harness.flatMap { try? fields(ofFileAt: $0.file(name, of: kind)) }
    }

    /// Reads the mapping of a text.
    ///
    /// - Parameters:
    ///   - file: The name in errors.
    /// - Returns: The keys, to be consumed one by one.
    /// - Throws: ``HarnessError`` if the text is not a YAML mapping.
    package static func fields(of text: String, file: String) throws(HarnessError) -> HarnessFields {
        try HarnessFields(root(of: text, file: file), file: file, path: "")
    }

    /// Reads a text that is a list of mappings, such as a JSON array of objects.
    ///
    /// - Parameters:
    ///   - file: The name in errors.
    /// - Returns: The keys of each entry, to be consumed one by one.
    /// - Throws: ``HarnessError`` if the text is not a list of mappings.
    package static func list(of text: String, file: String) throws(HarnessError) -> [HarnessFields] {
        let root = try root(of: text, file: file)
        guard let sequence = root.sequence else {
            throw HarnessError(file: file, line: root.mark?.line, message: "must be a list")
        }
        var list: [HarnessFields] = []
        for (index, node) in sequence.enumerated() {
            list.append(try HarnessFields(node, file: file, path: "[\(index)]"))
        }
        return list
    }

    private static func root(of text: String, file: String) throws(HarnessError) -> Node {
        let root: Node?
        do {
            // The readers of keys convert numbers themselves: YAML's type resolution dominates the time of parsing.
            root = try Yams.compose(yaml: text, .basic)
        } catch let error as YamlError {
            switch error {
            case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
                .composer(let context, let problem, let mark, _):
                let during = context.map { " \($0.text)" } ?? ""
                let words = oneLine("\(problem)\(during), at column \(mark.column)")
                throw HarnessError(file: file, line: mark.line, message: "is not YAML: \(words)")
            default: throw HarnessError(file: file, message: "is not YAML: \(oneLine("\(error)"))")
            }
        } catch {
            throw HarnessError(file: file, message: "is not YAML: \(oneLine("\(error)"))")
        }
        guard let root else { throw HarnessError(file: file, message: "is empty") }
        return root
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
