internal import Foundation
internal import GRDB
internal import Synchronization

/// An SQLite database for data that can be recomputed, shared by several processes.
///
/// No call fails: unreadable data counts as missing, and data that cannot be written is dropped. Each reason is reported
/// once. A damaged database is renamed and replaced by an empty one.
final class CacheDatabase: Sendable {
    private struct State {
        var queue: DatabaseQueue?
        var reported: Set<String> = []
    }

    /// The time limit of one call that waits for another process, in seconds.
    private static let busyTimeout = 1.0

    /// The first closed queues, kept until the process ends.
    ///
    /// Releasing a dispatch queue starts a thread of libdispatch. `segue regress` opens and closes a store before it forks
    /// its workers, and a process that forks must have a single thread. No process opens that many before it forks.
    private static let closedQueueLimit = 16
    private static let closedQueues = Mutex<[DatabaseQueue]>([])

    /// The number of open databases of this process by path.
    ///
    /// Closing any descriptor of a file drops all locks of the process on that file (fcntl(2)). SQLite accounts for
    /// its own descriptors; nothing else may read a file while its database is open.
    private static let openCounts = Mutex<[String: Int]>([:])

    private let path: String
    private let content: String
    private let prepare: @Sendable (Database) throws -> Void
    private let notice: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Opens a database and creates its folder if it is missing.
    ///
    /// - Parameters:
    ///   - content: The subject of notices, such as "the index of media files".
    ///   - notice: Receives one line for each reason why data cannot be stored.
    ///   - prepare: Creates the tables, each time the database is opened.
    init(
        path: String,
        content: String,
        notice: @escaping @Sendable (String) -> Void,
        prepare: @escaping @Sendable (Database) throws -> Void
    ) {
        (self.path, self.content, self.notice, self.prepare) = (path, content, notice, prepare)
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        attempt { _ in }
    }

    deinit { state.withLock { close(&$0) } }

    /// Runs statements, each in a transaction of its own.
    func attempt(_ work: (Database) throws -> Void) {
        access { queue in try queue.inDatabase(work) }
    }

    /// Runs statements in one transaction.
    func attemptTransaction(_ work: (Database) throws -> Void) {
        access { queue in
            try queue.inTransaction(.immediate) { database in
                try work(database)
                return .commit
            }
        }
    }

    /// Returns the number that a statement selects, or 0 if it cannot be read.
    func number(_ sql: String) -> Int64 {
        var number: Int64 = 0
        attempt { number = try $0.number(sql) }
        return number
    }

    private func access(_ work: (DatabaseQueue) throws -> Void) {
        state.withLock { state in
            do {
                try work(try opened(&state))
            } catch let error as DatabaseError {
                // Another process at work is not worth a notice.
                if error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED { return }
                let reason = error.message ?? "\(error.resultCode)"
                guard error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB else {
                    return report("cannot use \(content): \(reason)", &state)
                }
                close(&state)
                moveAway()
                report("\(content) is damaged (\(reason)); moved it to \(path).broken and created a new one", &state)
                do { try work(try opened(&state)) } catch { close(&state) }
            } catch {
                report("cannot use \(content): \(error)", &state)
            }
        }
    }

    private func opened(_ state: inout State) throws -> DatabaseQueue {
        if let queue = state.queue { return queue }
        try Self.openCounts.withLock { counts in
            guard counts[path] != nil || hasHeader else {
                throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "the file is not an SQLite database")
            }
            counts[path, default: 0] += 1
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busyTimeout)
        configuration.label = "cache"
        let queue: DatabaseQueue
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            uncount()
            throw error
        }
        state.queue = queue
        do {
            try queue.inDatabase(prepare)
        } catch {
            close(&state)
            throw error
        }
        return queue
    }

    /// True unless the file starts with something other than an SQLite header; a missing or empty file is a new database.
    ///
    /// `DatabaseQueue` finds that out, too, but then releases a dispatch queue (see `closedQueues`).
    private var hasHeader: Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return true }
        defer { try? file.close() }
        let header = Data("SQLite format 3\0".utf8)
        guard let start = try? file.read(upToCount: header.count), !start.isEmpty else { return true }
        return start == header
    }

    private func close(_ state: inout State) {
        guard let queue = state.queue else { return }
        try? queue.close()
        uncount()
        Self.closedQueues.withLock { if $0.count < Self.closedQueueLimit { $0.append(queue) } }
        state.queue = nil
    }

    private func uncount() {
        Self.openCounts.withLock { counts in counts[path] = counts[path].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }

    private func report(_ message: String, _ state: inout State) {
        guard state.reported.insert(message).inserted else { return }
        notice("\(path): \(message)")
    }

    private func moveAway() {
        let manager = FileManager.default
        for end in ["-wal", "-shm", ".broken"] { try? manager.removeItem(atPath: path + end) }
        if (try? manager.moveItem(atPath: path, toPath: path + ".broken")) == nil {
            try? manager.removeItem(atPath: path)
        }
    }

    /// Lets processes read while one writes.
    ///
    /// A power failure may lose the last transactions.
    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA journal_size_limit = 4194304;
        """
}
