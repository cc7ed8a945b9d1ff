/// Why a PostgreSQL server did not do what it was asked for.
package struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The server, as `HOST:PORT/DATABASE`; never a password.
    package var server: String
    /// The call of libpq that failed.
    package var call: String
    /// What the server or libpq says, in one line.
    package var reason: String
    /// The five characters by which PostgreSQL names an error (its documentation, appendix A); empty where no server said
    /// anything.
    package var state: String
    /// Whether the connection is lost, so that the same may go well over another.
    package var isLost: Bool

    /// Whether there is a row already of what must be there once.
    package var isTaken: Bool { state == "23505" }

    package var description: String { "PostgreSQL at \(server): \(call): \(reason)" }

    /// A text of several lines as one.
    static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }.joined(
            separator: "; "
        )
    }
}
