internal import Foundation

/// A search for cases by words in their names.
package struct CaseSearch {
    private let words: [String]

    package init(_ words: [String]) { self.words = words.map { $0.lowercased() } }

    /// The matching cases.
    ///
    /// A word matches a scenario, network, platform, or app policy of exactly that name if there is one, otherwise any
    /// part of a title or name.
    package func found(among names: [CaseName]) -> [CaseName] {
        let whole = Set(names.flatMap(Self.parts))
        return names.filter { name in
            let parts = Self.parts(name)
            let file = name.file.lowercased()
            return words.allSatisfy { word in
                if file == word || parts.contains(word) { return true }
                if whole.contains(word) { return false }
                return file.contains(word) || parts.contains { $0.contains(word) }
            }
        }
    }

    private static func parts(_ name: CaseName) -> [String] {
        [name.scenario, name.network, name.platform, name.device ?? "", name.app].map { $0.lowercased() }
    }
}
