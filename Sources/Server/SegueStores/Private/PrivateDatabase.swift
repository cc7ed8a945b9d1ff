internal import Foundation
internal import GRDB
internal import SegueAccess
internal import SegueConcurrency
internal import Synchronization

/// An SQLite file that only its owner may read, shared by several processes.
final class PrivateDatabase: Sendable {
    /// An operation that failed.
    struct Failure: Error {
        var path: String
        var reason: String
        /// True if a value that must be unique exists already.
        var isDuplicate = false
    }

    /// The time limit of one call that waits for another process, in seconds.
    private static let busyTimeout = 5.0

    /// An open file.
    private struct Connection {
        var queue: DatabaseQueue
        var file: FileStatus
        /// The number of files that were opened before.
        var generation = 0

        func isOf(_ other: FileStatus) -> Bool { file.device == other.device && file.inode == other.inode }
    }

    let path: String
    private let open: @Sendable () throws -> Connection
    private let connection: Mutex<Connection>

    /// Opens a database, and creates its folder and its tables if they are missing.
    ///
    /// - Parameters:
    ///   - content: The content, for error messages, such as "keys and people".
    ///   - version: The version of the tables.
    ///   - tables: The statements that create the tables.
    /// - Throws: ``Failure`` if the file cannot be opened or has other tables.
    init(_ path: String, content: String, version: Int, tables: String) throws(Failure) {
        self.path = path
        open = {
            try PrivateFile.make(path)
            // If the file is replaced while it is opened, the next call opens it again.
            guard let file = FileStatus(path: path) else { throw Self.missing(path) }
            var configuration = Configuration()
            configuration.busyMode = .timeout(Self.busyTimeout)
            configuration.label = content
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inTransaction(.immediate) { database in
                try Self.prepare(database, path: path, content: content, version: version, tables: tables)
                return .commit
            }
            return Connection(queue: queue, file: file)
        }
        do {
            try PrivateFile.makeFolder((path as NSString).deletingLastPathComponent)
            connection = Mutex(try open())
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// The number of times that the file was replaced by another one, such as a backup.
    var generation: Int { connection.withLock { $0.generation } }

    /// The connection to the file that is at the path now.
    ///
    /// SQLite keeps a file open that has been replaced, and would never see the changes of others.
    private func current() throws -> DatabaseQueue {
        try connection.withLock { connection in
            guard let file = FileStatus(path: path) else { throw Self.missing(path) }
            if !connection.isOf(file) {
                var fresh = try open()
                fresh.generation = connection.generation + 1
                connection = fresh
            }
            return connection.queue
        }
    }

    private static func missing(_ path: String) -> Failure {
        Failure(path: path, reason: "the file was removed; restore it, or restart to begin with an empty one")
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
        do { return try current().read(work) } catch { throw Self.failure(error, path) }
    }

    /// Writes in one transaction, which is rolled back if `work` throws.
    func write<Value>(_ work: (Database) throws -> Value) throws(Failure) -> Value {
        do { return try current().write(work) } catch { throw Self.failure(error, path) }
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
