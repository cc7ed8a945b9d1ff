/// Why a folder or a file cannot be served.
package struct LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with it.
    package enum Reason: Sendable, Equatable {
        /// There is nothing under the name.
        case missing
        /// It is not a folder.
        case notAFolder
        /// It is not a regular file.
        case notAFile
        /// The system does not let this user look.
        case unreadable
    }

    /// What is wrong.
    package var reason: Reason

    /// The folder or file as it was given.
    package var folder: String

    /// What the system said.
    package var message: String

    /// One line for a person.
    package var description: String { "\(folder): \(message)" }
}
