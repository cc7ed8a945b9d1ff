/// A recipe that cannot be read, or does not fit the schema.
package struct RecipeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The recipe file.
    package var file: String

    /// The line in it, from 1; nil where the whole file is meant.
    package var line: Int?

    /// The key that is wrong, with those above it, such as `recipes[3].video.codec`; empty at the top.
    package var key: String

    /// What is wrong with it.
    package var message: String

    package var description: String {
        [file + (line.map { ":\($0)" } ?? ""), key, message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
