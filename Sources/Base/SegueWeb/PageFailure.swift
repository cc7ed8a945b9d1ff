/// A file of a page that is missing, unreadable, or malformed.
package struct PageFailure: Error, Sendable, CustomStringConvertible {
    /// The file, what is wrong with it, and what to do, in one line.
    package let description: String

    package init(_ description: String) { self.description = description }
}
