internal import Synchronization

/// A database of a PostgreSQL server, over one connection that is reopened after it is lost.
///
/// All calls block: up to 10 s while connecting, and up to 5 s for a statement.
package final class PostgresDatabase: Sendable {
    private let address: String
    private let connection: Mutex<PostgresConnection>

    /// Connects.
    ///
    /// - Parameter address: An address in libpq's form: `postgresql://USER@HOST:PORT/DATABASE?sslmode=…` or
    ///   `host=… dbname=…`. Omitted parts come from libpq's environment variables and its password file (PostgreSQL's
    ///   documentation, sections 34.1, 34.15, and 34.16).
    /// - Throws: ``PostgresError``.
    package init(_ address: String) throws(PostgresError) {
        self.address = address
        connection = Mutex(try PostgresConnection(address))
    }

    /// Runs statements in one transaction, which is rolled back if `work` throws.
    ///
    /// If the connection was lost since its last use, it is reopened and `work` runs again, unless the commit itself
    /// failed.
    ///
    /// - Throws: ``PostgresError``, or the error that `work` throws.
    package func transaction<Value: Sendable>(_ work: (borrowing PostgresTransaction) throws -> Value) throws -> Value {
        // The core is not generic: the optimizer of Swift 6.3 crashes on a noncopyable value in a generic closure.
        var value: Value?
        try run { transaction in value = try work(transaction) }
        guard let value else { preconditionFailure("a transaction ended without a value and without an error") }
        return value
    }

    private func run(_ work: (borrowing PostgresTransaction) throws -> Void) throws {
        try connection.withLock { connection in
            do {
                try Self.run(work, connection)
            } catch let error as PostgresError where error.isLost && error.call != PostgresConnection.committing {
                connection = try PostgresConnection(address)
                try Self.run(work, connection)
            }
        }
    }

    private static func run(
        _ work: (borrowing PostgresTransaction) throws -> Void,
        _ connection: PostgresConnection
    ) throws {
        try connection.execute("BEGIN")
        do {
            try work(PostgresTransaction(connection: connection))
            try connection.execute("COMMIT", as: PostgresConnection.committing)
        } catch {
            // The server rolls back the transaction of a lost connection.
            try? connection.execute("ROLLBACK")
            throw error
        }
    }
}

/// An open transaction.
package struct PostgresTransaction: ~Copyable {
    fileprivate let connection: PostgresConnection

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - statement: SQL, with `$1`, `$2`, and so on for the values.
    /// - Returns: The rows, and the number of changed rows.
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
