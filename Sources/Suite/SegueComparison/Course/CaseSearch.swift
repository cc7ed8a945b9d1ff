internal import Foundation

/// Finds cases by the words that people remember of them.
package struct CaseSearch {
    private let words: [String]

    /// Cases with all of some words.
    package init(_ words: [String]) { self.words = words.map { $0.lowercased() } }

    /// The cases that are meant.
    ///
    /// A word means the scenario, network, platform or app policy of that very name, where any case has it; else any
    /// part of the title or of those names.
    package func found(among names: [RecordedCase.Name]) -> [RecordedCase.Name] {
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

    private static func parts(_ name: RecordedCase.Name) -> [String] {
        [name.scenario, name.network, name.platform, name.app].map { $0.lowercased() }
    }
}
