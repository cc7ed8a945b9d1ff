internal import Foundation
internal import Yams

/// A YAML data file, read and ready to be taken apart.
package enum HarnessFile {
    /// The keys of a file's one mapping.
    ///
    /// - Throws: ``HarnessError`` when the file cannot be read or is not a YAML mapping.
    package static func fields(ofFileAt path: String) throws(HarnessError) -> HarnessFields {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError(file: path, message: "cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw HarnessError(file: path, message: "is not UTF-8 text")
        }
        return try fields(of: text, file: path)
    }

    /// The keys of the one mapping in a text.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - file: The name for error messages.
    /// - Returns: The keys, to be taken out one by one.
    /// - Throws: ``HarnessError`` when the text is not a YAML mapping.
    package static func fields(of text: String, file: String) throws(HarnessError) -> HarnessFields {
        try HarnessFields(root(of: text, file: file), file: file, path: "")
    }

    /// The entries of a text that is one list of mappings, such as a JSON array of objects.
    ///
    /// - Parameters:
    ///   - text: YAML, of which JSON is a part.
    ///   - file: The name for error messages.
    /// - Returns: The keys of each entry, to be taken out one by one.
    /// - Throws: ``HarnessError`` when the text is not a list of mappings.
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
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            let line =
                switch error {
                case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
                default: Int?.none
                }
            throw HarnessError(file: file, line: line, message: "is not YAML: \(oneLine(error))")
        } catch {
            throw HarnessError(file: file, message: "is not YAML: \(oneLine(error))")
        }
        guard let root else { throw HarnessError(file: file, message: "is empty") }
        return root
    }

    private static func oneLine(_ error: any Error) -> String {
        "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
