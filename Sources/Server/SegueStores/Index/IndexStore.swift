internal import Foundation
package import SeguePackager

/// Keeps on the disk what was found out about files, in one SQLite database that several processes may share.
///
/// It never fails, as ``CacheDatabase`` has it. Whatever was asked for longest ago goes when there is too much.
package final class IndexStore: IndexKeeping {
    private let database: CacheDatabase
    private let limit: Int64
    private let version: String

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
        self.limit = Int64(limit)
        // Another build of the program may look at files in another way.
        let version = KeptIndex.version + " " + ((try? FileIdentity(ofFileAt: "/proc/self/exe"))?.tag ?? "")
        self.version = version
        database = CacheDatabase(
            path: (folder as NSString).appendingPathComponent(IndexStore.fileName),
            content: "what is known of files",
            notice: notice
        ) { database throws(SQLiteConnection.Failure) in
            try database.run(CacheDatabase.settings)
            try database.run(IndexStore.schema)
            // What another version of the program or of libav has kept means nothing to this one.
            try database.run("DELETE FROM findings WHERE version != ?", [.text(version)])
        }
    }

    package func kept(_ part: String, of file: FileIdentity) -> [UInt8]? {
        var found: [UInt8]?
        database.attempt { database throws(SQLiteConnection.Failure) in
            try database.run(IndexStore.find, key(part, file)) { found = $0.bytes(0) }
            if found != nil { try database.run(IndexStore.touch, key(part, file)) }
        }
        return found
    }

    package func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
        // One file of very many packets must not drive out all the others.
        guard bytes.count <= limit / 4 else { return }
        database.attemptWhole { database throws(SQLiteConnection.Failure) in
            let values = key(part, file) + [.integer(Int64(bytes.count)), .bytes(bytes)]
            try database.run(IndexStore.insert, values)
            try makeRoom(database)
        }
    }

    /// How many bytes are kept now.
    package var size: Int { Int(database.number(IndexStore.total)) }

    private func makeRoom(_ database: SQLiteConnection) throws(SQLiteConnection.Failure) {
        while true {
            var size: Int64 = 0
            try database.run(IndexStore.total, []) { size = $0.integer(0) }
            guard size > limit else { return }
            try database.run(IndexStore.dropOldest, [])
        }
    }

    private func key(_ part: String, _ file: FileIdentity) -> [SQLiteConnection.Value] {
        [
            .text(file.path), .text(part), .integer(file.size), .integer(file.modifiedNanoseconds),
            .integer(Int64(bitPattern: file.inode)), .text(version),
        ]
    }
}

extension IndexStore {
    // How much there is stands beside it: to add up thousands of rows for each new one would take longer than all else.
    private static let schema = """
        DROP TABLE IF EXISTS parts;
        CREATE TABLE IF NOT EXISTS findings (
            path TEXT NOT NULL, part TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            inode INTEGER NOT NULL, version TEXT NOT NULL, used INTEGER NOT NULL, bytes INTEGER NOT NULL,
            content BLOB NOT NULL, PRIMARY KEY (path, part)
        );
        CREATE INDEX IF NOT EXISTS findings_used ON findings (used);
        CREATE TABLE IF NOT EXISTS held (bytes INTEGER NOT NULL);
        INSERT INTO held SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM held);
        CREATE TRIGGER IF NOT EXISTS findings_come AFTER INSERT ON findings
            BEGIN UPDATE held SET bytes = bytes + NEW.bytes; END;
        CREATE TRIGGER IF NOT EXISTS findings_change AFTER UPDATE OF bytes ON findings
            BEGIN UPDATE held SET bytes = bytes + NEW.bytes - OLD.bytes; END;
        CREATE TRIGGER IF NOT EXISTS findings_go AFTER DELETE ON findings
            BEGIN UPDATE held SET bytes = bytes - OLD.bytes; END;
        """

    private static let isTheOne =
        "path = ? AND part = ? AND size = ? AND modified = ? AND inode = ? AND version = ?"
    private static let find = "SELECT content FROM findings WHERE \(isTheOne)"
    // The last one used stays where it is, so that reading it again writes nothing.
    private static let touch = """
        UPDATE findings SET used = (SELECT max(used) FROM findings) + 1
        WHERE \(isTheOne) AND used < (SELECT max(used) FROM findings)
        """
    private static let insert = """
        INSERT INTO findings (path, part, size, modified, inode, version, used, bytes, content)
        VALUES (?, ?, ?, ?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM findings), ?, ?)
        ON CONFLICT (path, part) DO UPDATE SET size = excluded.size, modified = excluded.modified,
            inode = excluded.inode, version = excluded.version, used = excluded.used, bytes = excluded.bytes,
            content = excluded.content
        """
    private static let total = "SELECT bytes FROM held"
    private static let dropOldest = "DELETE FROM findings WHERE used = (SELECT min(used) FROM findings)"
}
