/// A folder or file that cannot be served.
package struct LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case missing
        case notAFolder
        case notAFile
        case unreadable
    }

    package var reason: Reason

    /// The folder or file as given.
    package var folder: String

    /// The system's message.
    package var message: String

    /// One line for people.
    package var description: String { "\(folder): \(message)" }
}
