internal import Synchronization

/// A database of a PostgreSQL server, over one connection that is made anew where it was lost.
///
/// All calls block: for ten seconds at the most while a connection is made, and for five while a statement is at work.
package final class PostgresDatabase: Sendable {
    private let address: String
    private let connection: Mutex<PostgresConnection>

    /// Connects.
    ///
    /// - Parameter address: As libpq takes it: `postgresql://USER@HOST:PORT/DATABASE?sslmode=…` or `host=… dbname=…`. What it
    ///   does not say comes from libpq's environment variables and its file of passwords (PostgreSQL's documentation,
    ///   sections 34.1, 34.15 and 34.16).
    /// - Throws: ``PostgresError``.
    package init(_ address: String) throws(PostgresError) {
        self.address = address
        connection = Mutex(try PostgresConnection(address))
    }

    /// Does something in one transaction, which is undone where it throws.
    ///
    /// Where the connection was lost since it was used last, it is made anew, and the work done once more; what was asked
    /// to be committed is not.
    ///
    /// - Throws: ``PostgresError``, or what the work throws.
    package func transaction<Value: Sendable>(_ work: (borrowing PostgresTransaction) throws -> Value) throws -> Value {
        try connection.withLock { connection in
            do {
                return try Self.run(work, connection)
            } catch let error as PostgresError where error.isLost && error.call != PostgresConnection.committing {
                connection = try PostgresConnection(address)
                return try Self.run(work, connection)
            }
        }
    }

    private static func run<Value: Sendable>(
        _ work: (borrowing PostgresTransaction) throws -> Value,
        _ connection: PostgresConnection
    ) throws -> Value {
        try connection.execute("BEGIN")
        do {
            let value = try work(PostgresTransaction(connection: connection))
            try connection.execute("COMMIT", as: PostgresConnection.committing)
            return value
        } catch {
            // A connection that is lost has undone it.
            try? connection.execute("ROLLBACK")
            throw error
        }
    }
}

/// A transaction that is under way.
package struct PostgresTransaction: ~Copyable {
    fileprivate let connection: PostgresConnection

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - statement: SQL, with `$1`, `$2` and so on for the values.
    ///   - values: The values.
    /// - Returns: The rows, and how many rows were changed.
    /// - Throws: ``PostgresError``.
    @discardableResult
    package func run(_ statement: String, _ values: PostgresValue...) throws(PostgresError) -> (
        rows: [PostgresRow], changed: Int
    ) {
        try connection.run(statement, values)
    }

    /// Runs several statements without values.
    ///
    /// - Throws: ``PostgresError``.
    package func execute(_ statements: String) throws(PostgresError) { try connection.execute(statements) }
}
