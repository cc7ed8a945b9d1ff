internal import Foundation
internal import Yams

extension HarnessFields {
    /// Creates the error for a missing key; if an unknown key is present, a misspelling is the likelier cause.
    ///
    /// - Parameters:
    ///   - keys: All valid keys of the mapping.
    ///   - advice: The text to write; empty if the key needs none.
    /// - Returns: The error.
    package func missing(_ key: String, among keys: [String], advice: String = "") -> HarnessError {
        var rest = self
        for known in keys { _ = try? rest.text(known) }
        do {
            try rest.finish()
            return error(key, advice.isEmpty ? "is missing" : "is missing; \(advice)")
        } catch {
            return error
        }
    }

    /// Returns the advice for a missing key: the line that another file has for it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - example: A file with all keys.
    /// - Returns: The advice; empty if the other file has no such key.
    package func advice(for key: String, from example: HarnessFields) -> String {
        let steps = (path.isEmpty ? [] : path.split(separator: ".").map(String.init)) + [key]
        guard let first = example.left[steps[0]] else { return "" }
        let found = steps.dropFirst().reduce(first as Node?) { node, step in node?.mapping?[Node(step)] }
        guard let found else { return "" }
        let name = URL(fileURLWithPath: example.file).lastPathComponent
        guard let value = found.mapping?["value"] else { return "copy it from \(name), or add based-on" }
        let texts = value.sequence.map { "[\($0.compactMap(\.scalar?.string).joined(separator: ", "))]" }
        let text = texts ?? value.scalar?.string ?? ""
        return "write \(key): { value: \(text), source: … } as in \(name), or add based-on"
    }
}
