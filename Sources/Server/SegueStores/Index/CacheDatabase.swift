internal import CSegueSQLite
internal import Foundation
internal import Synchronization

/// An SQLite database that several processes share, of what anybody can do without.
///
/// It never fails: what cannot be read is not there, what cannot be written is not kept, and somebody is told why,
/// once. A damaged database is put aside and begun anew.
final class CacheDatabase: Sendable {
    private struct State {
        var database: SQLiteConnection?
        /// What somebody was told already.
        var told: Set<String> = []
    }

    private let path: String
    private let content: String
    private let prepare: @Sendable (SQLiteConnection) throws(SQLiteConnection.Failure) -> Void
    private let notice: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Opens a database, in a folder that is made where there is none.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - content: What is in it, for people.
    ///   - notice: Told in one line why something cannot be kept, once for each reason.
    ///   - prepare: Makes what is to be in it, each time that it is opened.
    init(
        path: String,
        content: String,
        notice: @escaping @Sendable (String) -> Void,
        prepare: @escaping @Sendable (SQLiteConnection) throws(SQLiteConnection.Failure) -> Void
    ) {
        (self.path, self.content, self.notice, self.prepare) = (path, content, notice, prepare)
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        attempt { _ throws(SQLiteConnection.Failure) in }
    }

    /// Does something with the database, which is opened for it where it is not open.
    func attempt(_ work: (SQLiteConnection) throws(SQLiteConnection.Failure) -> Void) {
        state.withLock { state in
            do throws(SQLiteConnection.Failure) {
                try work(try opened(&state))
            } catch {
                guard error.isCorrupt else {
                    // Another process at work is no news.
                    return error.isBusy ? () : tell("\(content) cannot be kept: \(error.message)", &state)
                }
                state.database = nil
                putAside()
                tell("\(content) is damaged (\(error.message)); it is put aside as \(path).broken", &state)
                do throws(SQLiteConnection.Failure) { try work(try opened(&state)) } catch { state.database = nil }
            }
        }
    }

    /// Does something that is done whole or not at all.
    func attemptWhole(_ work: (SQLiteConnection) throws(SQLiteConnection.Failure) -> Void) {
        attempt { database throws(SQLiteConnection.Failure) in
            try database.run("BEGIN IMMEDIATE")
            do throws(SQLiteConnection.Failure) {
                try work(database)
                try database.run("COMMIT")
            } catch {
                try? database.run("ROLLBACK")
                throw error
            }
        }
    }

    /// One number that the database is asked for; 0 where it cannot tell.
    func number(_ sql: String) -> Int64 {
        var number: Int64 = 0
        attempt { database throws(SQLiteConnection.Failure) in try database.run(sql, []) { number = $0.integer(0) } }
        return number
    }

    private func opened(_ state: inout State) throws(SQLiteConnection.Failure) -> SQLiteConnection {
        if let database = state.database { return database }
        let database = try SQLiteConnection(path: path)
        try prepare(database)
        state.database = database
        return database
    }

    private func tell(_ message: String, _ state: inout State) {
        guard state.told.insert(message).inserted else { return }
        notice("\(path): \(message)")
    }

    private func putAside() {
        let manager = FileManager.default
        for end in ["-wal", "-shm", ".broken"] { try? manager.removeItem(atPath: path + end) }
        if (try? manager.moveItem(atPath: path, toPath: path + ".broken")) == nil {
            try? manager.removeItem(atPath: path)
        }
    }

    /// How every such database is written: processes read while one writes, and what was written last before the power
    /// failed may be lost.
    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA journal_size_limit = 4194304;
        """
}
