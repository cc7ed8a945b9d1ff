/// Why a folder cannot be served.
package struct LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with the folder.
    package enum Reason: Sendable, Equatable {
        case noSuchFolder
        case notAFolder
        case unreadable
    }

    /// What is wrong.
    package var reason: Reason

    /// The folder as it was given.
    package var folder: String

    /// What the system said.
    package var message: String

    /// One line for a person.
    package var description: String { "\(folder): \(message)" }
}
