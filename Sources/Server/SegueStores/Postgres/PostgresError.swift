/// A failed call of a PostgreSQL server.
package struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The server, as `HOST:PORT/DATABASE`; never a password.
    package var server: String
    /// The call of libpq that failed.
    package var call: String
    /// The message of the server or of libpq, in one line.
    package var reason: String
    /// The SQLSTATE code (PostgreSQL's documentation, appendix A); empty if the error is not from a server.
    package var state: String
    /// True if the connection is lost, so that another one may succeed.
    package var isLost: Bool

    /// True for a violated uniqueness constraint.
    package var isTaken: Bool { state == "23505" }

    package var description: String { "PostgreSQL at \(server): \(call): \(reason)" }

    /// Joins the lines of a text.
    static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }.joined(
            separator: "; "
        )
    }
}
