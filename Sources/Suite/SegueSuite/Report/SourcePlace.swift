/// Where something that was judged stands among a person's files: a film, or a title in its list.
package struct SourcePlace: Sendable, Codable, Equatable {
    /// The file's path, as it was given.
    package var path: String

    /// The line on which a title begins, from 1; nil for a film.
    package var line: Int?

    /// A place.
    package init(path: String, line: Int? = nil) { (self.path, self.line) = (path, line) }
}
