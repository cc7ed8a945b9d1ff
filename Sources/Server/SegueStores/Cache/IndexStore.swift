internal import Foundation
internal import GRDB
package import SeguePackager

/// A store of indexes of media files, in an SQLite database that several processes may share.
///
/// No call fails (see ``CacheDatabase``). Above the size limit the least recently used entries are evicted.
package final class IndexStore: IndexKeeping {
    private let database: CacheDatabase
    private let limit: Int64
    private let version: String

    /// The database's name in its folder.
    package static let fileName = "index.sqlite"

    /// Opens the store in a folder, which is created if it is missing.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - notice: Receives one line for each reason why data cannot be stored.
    package init(
        folder: String,
        limit: Int = 512 << 20,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.limit = Int64(limit)
        // Another build of the program may index files differently.
        let version = KeptIndex.version + " " + ((try? FileIdentity(ofFileAt: "/proc/self/exe"))?.tag ?? "")
        self.version = version
        database = CacheDatabase(
            path: (folder as NSString).appendingPathComponent(IndexStore.fileName),
            content: "the index of media files",
            notice: notice
        ) { database in
            try database.execute(sql: CacheDatabase.settings)
            try database.execute(sql: IndexStore.schema)
            // Entries of another version of the program or of libav are unusable.
            try database.execute(sql: "DELETE FROM findings WHERE version != ?", arguments: [version])
        }
    }

    package func kept(_ part: String, of file: FileIdentity) -> [UInt8]? {
        var found: [UInt8]?
        database.attempt { database in
            let statement = try database.cachedStatement(sql: IndexStore.find)
            found = try Row.fetchOne(statement, arguments: key(part, file))?.bytes(0)
            guard found != nil else { return }
            try database.cachedStatement(sql: IndexStore.touch).execute(arguments: key(part, file))
        }
        return found
    }

    package func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
        // One file of very many packets must not evict all others.
        guard bytes.count <= limit / 4 else { return }
        database.attemptTransaction { database in
            let values = key(part, file) + [Int64(bytes.count), Data(bytes)]
            try database.cachedStatement(sql: IndexStore.insert).execute(arguments: values)
            while try database.number(IndexStore.total) > limit {
                try database.cachedStatement(sql: IndexStore.dropOldest).execute()
            }
        }
    }

    /// The size of all entries in bytes.
    package var size: Int { Int(database.number(IndexStore.total)) }

    private func key(_ part: String, _ file: FileIdentity) -> StatementArguments {
        [file.path, part, file.size, file.modifiedNanoseconds, Int64(bitPattern: file.inode), version]
    }
}

extension IndexStore {
    // The total has a table of its own: adding up thousands of rows for each new one would take longer than all else.
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
    // The most recently used entry stays as it is, so that reading it again writes nothing.
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
