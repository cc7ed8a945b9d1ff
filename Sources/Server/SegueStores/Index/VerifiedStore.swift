internal import CSegueSQLite
internal import Foundation
internal import SegueFFmpeg

/// Keeps on the disk what was found out by verifying content, in one SQLite database that several processes may share.
///
/// A key says all that what is kept under it depends on, so nothing in here is ever out of date. It never fails, as
/// ``CacheDatabase`` has it: what cannot be kept is found out again. Whatever was asked for longest ago, to the hour,
/// goes when there is too much.
package final class VerifiedStore: Sendable {
    /// The name of the database in its folder.
    package static let fileName = "verified.sqlite"

    /// How many bytes are kept unless somebody says otherwise.
    package static let usualLimit: Int64 = 1 << 30

    /// The version of the database's format.
    private static let format: Int64 = 1

    /// What an entry takes besides what is kept.
    private static let overhead = 256

    private let database: CacheDatabase
    private let limit: Int64
    private let hour: @Sendable () -> Int64

    /// Opens the store in a folder, which is made where there is none, and drops what is more than the limit.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - limit: How many bytes are kept at most.
    ///   - hour: The present hour, counted from any moment.
    ///   - notice: Told in one line why something cannot be kept, once for each reason.
    package init(
        folder: String,
        limit: Int64 = usualLimit,
        hour: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 / 3600) },
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.limit, self.hour) = (limit, hour)
        database = CacheDatabase(
            path: (folder as NSString).appendingPathComponent(Self.fileName),
            content: "what was verified",
            notice: notice
        ) { database throws(SQLiteConnection.Failure) in
            var format: Int64 = 0
            try database.run("PRAGMA user_version", []) { format = $0.integer(0) }
            guard format <= Self.format else {
                throw SQLiteConnection.Failure(
                    code: SQLITE_MISMATCH,
                    message: "a newer segue writes here (format \(format), and this one knows \(Self.format))"
                )
            }
            if format == 0 { try database.run("PRAGMA auto_vacuum = INCREMENTAL") }
            try database.run(CacheDatabase.settings)
            try database.run(Self.schema)
            if format == 0 { try database.run("PRAGMA user_version = \(Self.format)") }
        }
        if size > limit { database.attemptWhole(makeRoom) }
    }

    /// What is kept under a key; nil where nothing is, or nothing whole.
    package func kept(_ key: String) -> [UInt8]? {
        var found: (bytes: [UInt8], sum: [UInt8], hour: Int64)?
        database.attempt { database throws(SQLiteConnection.Failure) in
            try database.run(Self.find, [.text(key)]) { found = ($0.bytes(0), $0.bytes(1), $0.integer(2)) }
            guard let last = found?.hour, last < hour() else { return }
            try database.run(Self.touch, [.integer(hour()), .text(key)])
        }
        guard let found, Self.sum(of: found.bytes, key) == found.sum else { return nil }
        return found.bytes
    }

    /// Keeps something, in place of what is kept under the key.
    package func keep(_ bytes: [UInt8], as key: String) {
        let size = bytes.count + key.utf8.count + Self.overhead
        // One very long film must not drive out all the others.
        guard size <= limit / 4 else { return }
        database.attemptWhole { database throws(SQLiteConnection.Failure) in
            let sum = SQLiteConnection.Value.bytes(Self.sum(of: bytes, key))
            let values: [SQLiteConnection.Value] = [
                .text(key), .integer(hour()), .integer(Int64(size)), sum, .bytes(bytes),
            ]
            try database.run(Self.insert, values)
            try makeRoom(database)
        }
    }

    /// How many bytes are kept now.
    package var size: Int64 { database.number(Self.total) }

    private func makeRoom(_ database: SQLiteConnection) throws(SQLiteConnection.Failure) {
        var size: Int64 = 0
        try database.run(Self.total, []) { size = $0.integer(0) }
        guard size > limit else { return }
        // A tenth less than allowed, so that this is not done for every entry.
        try database.run(Self.drop, [.integer(limit - limit / 10)])
        try database.run("PRAGMA incremental_vacuum")
    }

    /// SQLite takes what a disk gives it for what was written.
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
    /// Drops what was used longest ago, until no more than so many bytes are left.
    private static let drop = """
        DELETE FROM verified WHERE rowid IN (
            SELECT number FROM (
                SELECT rowid AS number, sum(size) OVER (ORDER BY used DESC, rowid DESC) AS total FROM verified
            ) WHERE total > ?
        )
        """
}
