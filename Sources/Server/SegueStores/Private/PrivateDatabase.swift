internal import Foundation
internal import GRDB
internal import SegueAccess

/// An SQLite file that only its owner may read, shared by several processes.
struct PrivateDatabase: Sendable {
    /// An operation that failed.
    struct Failure: Error {
        var path: String
        var reason: String
        /// True if a value that must be unique exists already.
        var isDuplicate = false
    }

    /// The time limit of one call that waits for another process, in seconds.
    private static let busyTimeout = 5.0

    let path: String
    private let queue: DatabaseQueue

    /// Opens a database, and creates its folder and its tables if they are missing.
    ///
    /// - Parameters:
    ///   - content: The content, for error messages, such as "keys and people".
    ///   - version: The version of the tables.
    ///   - tables: The statements that create the tables.
    /// - Throws: ``Failure`` if the file cannot be opened or has other tables.
    init(_ path: String, content: String, version: Int, tables: String) throws(Failure) {
        self.path = path
        do {
            try PrivateFile.makeFolder((path as NSString).deletingLastPathComponent)
            try PrivateFile.make(path)
            var configuration = Configuration()
            configuration.busyMode = .timeout(Self.busyTimeout)
            configuration.label = content
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inTransaction(.immediate) { database in
                try Self.prepare(database, path: path, content: content, version: version, tables: tables)
                return .commit
            }
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func prepare(
        _ database: Database,
        path: String,
        content: String,
        version: Int,
        tables: String
    ) throws {
        let found = try database.number("PRAGMA user_version")
        if found == Int64(version) { return }
        guard found == 0, try database.number("SELECT count(*) FROM sqlite_master") == 0 else {
            throw Failure(
                path: path,
                reason: "the tables are not those of \(content) in this version of segue"
                    + " (found version \(found), expected \(version))"
            )
        }
        try database.execute(sql: tables)
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Reads in one transaction.
    func read<Value>(_ work: (Database) throws -> Value) throws(Failure) -> Value {
        do { return try queue.read(work) } catch { throw Self.failure(error, path) }
    }

    /// Writes in one transaction, which is rolled back if `work` throws.
    func write<Value>(_ work: (Database) throws -> Value) throws(Failure) -> Value {
        do { return try queue.write(work) } catch { throw Self.failure(error, path) }
    }

    private static func failure(_ error: any Error, _ path: String) -> Failure {
        switch error {
        case let error as Failure: return error
        case let error as AccessFailure: return Failure(path: error.subject, reason: error.reason)
        case let error as DatabaseError:
            return Failure(
                path: path,
                reason: "SQLite: \(error.message ?? "\(error.resultCode)")",
                isDuplicate: error.resultCode == .SQLITE_CONSTRAINT
            )
        default: return Failure(path: path, reason: error.localizedDescription)
        }
    }
}
