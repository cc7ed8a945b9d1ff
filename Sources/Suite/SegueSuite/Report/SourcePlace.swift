/// The location of a file, or of a title in its list, among the user's files.
package struct SourcePlace: Sendable, Codable, Equatable {
    /// The path as given.
    package var path: String

    /// The line of a title, from 1; nil for a file.
    package var line: Int?

    package init(path: String, line: Int? = nil) { (self.path, self.line) = (path, line) }
}
