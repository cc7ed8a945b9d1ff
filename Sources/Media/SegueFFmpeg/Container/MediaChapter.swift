/// A chapter declared by a container.
package struct MediaChapter: Sendable, Equatable, Codable {
    /// The start, in microseconds.
    package let start: Int64
    /// The end, in microseconds; never before ``start``.
    package let end: Int64
    package let title: String?

    package init(start: Int64, end: Int64, title: String?) {
        (self.start, self.end, self.title) = (start, max(start, end), title)
    }
}
