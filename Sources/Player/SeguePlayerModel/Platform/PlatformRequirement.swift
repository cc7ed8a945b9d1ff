package import SegueData

/// A requirement for a platform: a field and the words of which it must have one.
package struct PlatformRequirement: Sendable, Equatable {
    /// The full key, such as `lifecycle.runs-in-background`.
    package let key: String
    /// The accepted words.
    package let words: [String]

    /// Reads the requirement of a key; the field must exist and accept each of the words.
    ///
    /// - Throws: `HarnessError` for an unknown key or word.
    package init(_ key: String, in fields: inout HarnessFields) throws(HarnessError) {
        let known = PlatformProfile().fieldsByKey.filter { !$0.value.requirable.isEmpty }
        guard let field = known[key] else {
            throw fields.error(key, UnknownName(key, among: Array(known.keys)).description)
        }
        words = try fields.oneOrMoreTexts(key)
        if let unknown = words.first(where: { !field.requirable.contains($0) }) {
            throw fields.error(key, UnknownName(unknown, among: field.requirable).description)
        }
        self.key = key
    }

    /// Returns whether a platform meets the requirement.
    package func isMet(by platform: PlatformProfile) -> Bool { !Set(words).isDisjoint(with: found(in: platform)) }

    /// The words of a platform, with their source, as a reason for an unmet requirement.
    package func reason(in platform: PlatformProfile) -> String {
        let found = found(in: platform).joined(separator: ", ")
        let source = platform.sources[key].map { " (\($0))" } ?? ""
        return "\(platform.name) has \(key) \(found.isEmpty ? "none" : found)\(source)"
    }

    private func found(in platform: PlatformProfile) -> [String] { platform.fieldsByKey[key]?.texts ?? [] }
}

extension PlatformProfile {
    fileprivate var fieldsByKey: [String: any AnyProfileField] {
        let own = fields.map { ($0.key, $0) }
        let inside = sections.flatMap { section in section.fields.map { ("\(section.key).\($0.key)", $0) } }
        return Dictionary(own + inside) { first, _ in first }
    }
}
