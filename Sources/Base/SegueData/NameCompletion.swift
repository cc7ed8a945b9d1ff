/// Shell completion of names.
package enum NameCompletion {
    /// Returns the completions of a name, or of the last name in a comma-separated list.
    ///
    /// - Parameters:
    ///   - word: The text so far.
    ///   - isList: True if the text may be a list; its complete names are kept and not offered again.
    /// - Returns: The completed words.
    package static func words(among names: [String], for word: String, isList: Bool) -> [String] {
        guard isList else { return names }
        let given = word.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(String.init)
        let head = given.map { $0 + "," }.joined()
        return names.filter { !given.contains($0) }.map { head + $0 }
    }
}
