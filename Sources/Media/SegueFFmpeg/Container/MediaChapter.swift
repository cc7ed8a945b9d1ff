/// A chapter, as a container tells of it.
package struct MediaChapter: Sendable, Equatable, Codable {
    /// Where it begins, in microseconds.
    package let start: Int64
    /// Where it ends, in microseconds; never before its beginning.
    package let end: Int64
    /// Its title, where it has one.
    package let title: String?

    /// A chapter.
    package init(start: Int64, end: Int64, title: String?) {
        (self.start, self.end, self.title) = (start, max(start, end), title)
    }
}
