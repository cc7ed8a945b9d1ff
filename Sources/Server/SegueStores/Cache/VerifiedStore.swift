internal import Foundation
internal import GRDB
internal import SegueFFmpeg

/// A store of verification results, in an SQLite database that several processes may share.
///
/// A key names everything that its entry depends on, so no entry is ever out of date. No call fails (see
/// ``CacheDatabase``). Above the size limit the least recently used entries, to the hour, are evicted.
package final class VerifiedStore: Sendable {
    /// The database's name in its folder.
    package static let fileName = "verified.sqlite"

    /// The default maximum size in bytes.
    package static let usualLimit: Int64 = 1 << 30

    /// The version of the database's format.
    private static let format: Int64 = 1

    /// The bytes that an entry takes in addition to its key and content.
    private static let overhead = 256

    private let database: CacheDatabase
    private let limit: Int64
    private let hour: @Sendable () -> Int64

    /// Opens the store in a folder, which is created if it is missing, and evicts entries above the size limit.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - hour: Returns the present hour, counted from any moment.
    ///   - notice: Receives one line for each reason why data cannot be stored.
    package init(
        folder: String,
        limit: Int64 = usualLimit,
        hour: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 / 3600) },
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.limit, self.hour) = (limit, hour)
        database = CacheDatabase(
            path: (folder as NSString).appendingPathComponent(Self.fileName),
            content: "the verification cache",
            notice: notice
        ) { database in
            let format = try database.number("PRAGMA user_version")
            guard format <= Self.format else {
                throw DatabaseError(
                    resultCode: .SQLITE_MISMATCH,
                    message: "the file has format \(format) of a newer segue; this one writes format \(Self.format)"
                )
            }
            if format == 0 { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            try database.execute(sql: CacheDatabase.settings)
            try database.execute(sql: Self.schema)
            if format == 0 { try database.execute(sql: "PRAGMA user_version = \(Self.format)") }
        }
        if size > limit { database.attemptTransaction(evict) }
    }

    /// The content of a key's entry, or nil if it is missing or damaged.
    package func kept(_ key: String) -> [UInt8]? {
        var found: (bytes: [UInt8], sum: [UInt8])?
        database.attempt { database in
            let row = try Row.fetchOne(database.cachedStatement(sql: Self.find), arguments: [key])
            guard let row else { return }
            found = (row.bytes(0), row.bytes(1))
            guard let last: Int64 = row.value(2), last < hour() else { return }
            try database.cachedStatement(sql: Self.touch).execute(arguments: [hour(), key])
        }
        guard let found, Self.sum(of: found.bytes, key) == found.sum else { return nil }
        return found.bytes
    }

    /// Stores an entry and replaces the former one of the key.
    package func keep(_ bytes: [UInt8], as key: String) {
        let size = bytes.count + key.utf8.count + Self.overhead
        // One very long film must not evict all others.
        guard size <= limit / 4 else { return }
        database.attemptTransaction { database in
            try database.cachedStatement(sql: Self.insert).execute(
                arguments: [key, hour(), size, Data(Self.sum(of: bytes, key)), Data(bytes)]
            )
            try evict(database)
        }
    }

    /// The size of all entries in bytes.
    package var size: Int64 { database.number(Self.total) }

    private func evict(_ database: Database) throws {
        guard try database.number(Self.total) > limit else { return }
        // A tenth more than necessary, so that not every entry causes an eviction.
        try database.cachedStatement(sql: Self.drop).execute(arguments: [limit - limit / 10])
        try database.execute(sql: "PRAGMA incremental_vacuum")
    }

    /// The checksum of an entry; SQLite does not detect changed bytes within a row.
    private static func sum(of bytes: [UInt8], _ key: String) -> [UInt8] {
        Array(Checksum.sha256(Array(key.utf8) + [0] + bytes).utf8)
    }
}

extension VerifiedStore {
    private static let schema = """
        CREATE TABLE IF NOT EXISTS verified (
            key TEXT PRIMARY KEY, used INTEGER NOT NULL, size INTEGER NOT NULL, sum BLOB NOT NULL, content BLOB NOT NULL
        );
        CREATE INDEX IF NOT EXISTS verified_used ON verified (used, size);
        """
    private static let find = "SELECT content, sum, used FROM verified WHERE key = ?"
    private static let touch = "UPDATE verified SET used = ? WHERE key = ?"
    private static let insert = "INSERT OR REPLACE INTO verified (key, used, size, sum, content) VALUES (?, ?, ?, ?, ?)"
    private static let total = "SELECT ifnull(sum(size), 0) FROM verified"
    /// Drops the least recently used entries until the total is at most the parameter.
    private static let drop = """
        DELETE FROM verified WHERE rowid IN (
            SELECT number FROM (
                SELECT rowid AS number, sum(size) OVER (ORDER BY used DESC, rowid DESC) AS total FROM verified
            ) WHERE total > ?
        )
        """
}
