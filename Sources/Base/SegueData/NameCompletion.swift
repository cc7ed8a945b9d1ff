/// The words by which a shell can complete one that is being written.
package enum NameCompletion {
    /// The words for a name, or for the last of a list of names with commas.
    ///
    /// - Parameters:
    ///   - names: The names there are.
    ///   - word: What is written so far.
    ///   - isList: Whether it may be a list; then the names before the last are kept, and not offered again.
    /// - Returns: The whole words.
    package static func words(among names: [String], for word: String, isList: Bool) -> [String] {
        guard isList else { return names }
        let given = word.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(String.init)
        let head = given.map { $0 + "," }.joined()
        return names.filter { !given.contains($0) }.map { head + $0 }
    }
}
