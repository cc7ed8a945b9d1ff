internal import Foundation
package import Packager
internal import Synchronization

/// Keeps on the disk what was found out about files, in one SQLite database that several processes may share.
///
/// It never fails: what cannot be read is not there, what cannot be written is not kept, and somebody is told why,
/// once. A damaged database is put aside and begun anew. Whatever was asked for longest ago goes when there is too much.
package final class IndexStore: IndexKeeping {
    private struct State {
        var database: Database?
        /// What somebody was told already.
        var told: Set<String> = []
    }

    private let path: String
    private let limit: Int64
    private let version: String
    private let notice: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// The name of the database in its folder.
    package static let fileName = "index.sqlite"

    /// Opens the store in a folder, which is made where there is none.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - limit: How many bytes are kept at most.
    ///   - notice: Told in one line why something cannot be kept, once for each reason.
    package init(
        folder: String,
        limit: Int = 512 << 20,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        path = (folder as NSString).appendingPathComponent(IndexStore.fileName)
        self.limit = Int64(limit)
        self.notice = notice
        // Another build of the program may look at files in another way.
        version = KeptIndex.version + " " + ((try? FileIdentity(ofFileAt: "/proc/self/exe"))?.tag ?? "")
        state = Mutex(State())
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        state.withLock { state in attempt(&state) { _ throws(Database.Failure) in } }
    }

    package func kept(_ part: String, of file: FileIdentity) -> [UInt8]? {
        state.withLock { state in
            var found: [UInt8]?
            attempt(&state) { database throws(Database.Failure) in
                try database.run(IndexStore.find, key(part, file)) { found = $0.bytes(0) }
                if found != nil { try database.run(IndexStore.touch, key(part, file)) }
            }
            return found
        }
    }

    package func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
        // One file of very many packets must not drive out all the others.
        guard bytes.count <= limit / 4 else { return }
        state.withLock { state in
            attempt(&state) { database throws(Database.Failure) in
                try database.run("BEGIN IMMEDIATE")
                do throws(Database.Failure) {
                    let values = key(part, file) + [.integer(Int64(bytes.count)), .bytes(bytes)]
                    try database.run(IndexStore.insert, values)
                    try makeRoom(database)
                    try database.run("COMMIT")
                } catch {
                    try? database.run("ROLLBACK")
                    throw error
                }
            }
        }
    }

    /// How many bytes are kept now.
    package var size: Int {
        state.withLock { state in
            var size: Int64 = 0
            attempt(&state) { database throws(Database.Failure) in
                try database.run(IndexStore.total, []) { size = $0.integer(0) }
            }
            return Int(size)
        }
    }

    private func makeRoom(_ database: Database) throws(Database.Failure) {
        while true {
            var size: Int64 = 0
            try database.run(IndexStore.total, []) { size = $0.integer(0) }
            guard size > limit else { return }
            try database.run(IndexStore.dropOldest, [])
        }
    }

    /// Does something with the database, which is opened for it where it is not open.
    private func attempt(_ state: inout State, _ work: (Database) throws(Database.Failure) -> Void) {
        do throws(Database.Failure) {
            try work(try opened(&state))
        } catch {
            guard error.isCorrupt else {
                // Another process at work is no news.
                return error.isBusy ? () : tell("what is known of files cannot be kept: \(error.message)", &state)
            }
            state.database = nil
            putAside()
            tell("what was known of files is damaged (\(error.message)); it is put aside as \(path).broken", &state)
            do throws(Database.Failure) { try work(try opened(&state)) } catch { state.database = nil }
        }
    }

    private func opened(_ state: inout State) throws(Database.Failure) -> Database {
        if let database = state.database { return database }
        let database = try Database(path: path)
        try database.run(IndexStore.settings)
        try database.run(IndexStore.schema)
        // What another version of the program or of libav has kept means nothing to this one.
        try database.run("DELETE FROM parts WHERE version != ?", [.text(version)])
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

    private func key(_ part: String, _ file: FileIdentity) -> [Database.Value] {
        [
            .text(file.path), .text(part), .integer(file.size), .integer(file.modifiedNanoseconds),
            .integer(Int64(bitPattern: file.inode)), .text(version),
        ]
    }
}

extension IndexStore {
    private static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA journal_size_limit = 4194304;
        """

    private static let schema = """
        CREATE TABLE IF NOT EXISTS parts (
            path TEXT NOT NULL, part TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            inode INTEGER NOT NULL, version TEXT NOT NULL, used INTEGER NOT NULL, bytes INTEGER NOT NULL,
            content BLOB NOT NULL, PRIMARY KEY (path, part)
        );
        CREATE INDEX IF NOT EXISTS parts_used ON parts (used, bytes);
        """

    private static let isTheOne =
        "path = ? AND part = ? AND size = ? AND modified = ? AND inode = ? AND version = ?"
    private static let find = "SELECT content FROM parts WHERE \(isTheOne)"
    // The last one used stays where it is, so that reading it again writes nothing.
    private static let touch = """
        UPDATE parts SET used = (SELECT max(used) FROM parts) + 1
        WHERE \(isTheOne) AND used < (SELECT max(used) FROM parts)
        """
    private static let insert = """
        INSERT OR REPLACE INTO parts (path, part, size, modified, inode, version, used, bytes, content)
        VALUES (?, ?, ?, ?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM parts), ?, ?)
        """
    private static let total = "SELECT ifnull(sum(bytes), 0) FROM parts"
    private static let dropOldest = "DELETE FROM parts WHERE used = (SELECT min(used) FROM parts)"
}
