internal import Foundation
internal import GRDB
package import SegueOrigin

/// A store of the ids of files, in an SQLite file that only its owner may read and several processes share.
package struct ItemStore: Sendable {
    /// The store's name in its folder.
    package static let fileName = "items.sqlite"

    private let database: PrivateDatabase

    /// Opens the store in a folder, which is created if it is missing.
    ///
    /// - Throws: ``StoreError`` if the file cannot be opened or has other content.
    package init(folder: String) throws(StoreError) {
        database = try StoreError.attempt { () throws(PrivateDatabase.Failure) in
            try PrivateDatabase(
                folder + "/" + Self.fileName,
                content: "ids of items",
                version: 1,
                tables: Self.tables
            )
        }
    }

    // SQLite has no unsigned integers: the inode and the fingerprint are stored as signed ones.
    private static let tables = """
        CREATE TABLE items (
            root BLOB NOT NULL, path BLOB NOT NULL, id TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            inode INTEGER NOT NULL, high INTEGER, low INTEGER, present INTEGER NOT NULL, changed INTEGER NOT NULL,
            PRIMARY KEY (root, path)
        ) WITHOUT ROWID;
        """

    /// Reads the records of all items, missing ones included.
    package func records() throws(StoreError) -> [ItemRecord] {
        try StoreError.attempt { () throws(PrivateDatabase.Failure) in
            try database.read { try Row.fetchAll($0, sql: "SELECT * FROM items").compactMap(Self.record) }
        }
    }

    /// Stores a change.
    package func store(_ change: StoredItems.Change) throws(StoreError) {
        try StoreError.attempt { () throws(PrivateDatabase.Failure) in
            try database.write { database in
                let remove = try database.cachedStatement(sql: "DELETE FROM items WHERE root = ? AND path = ?")
                for place in change.removed { try remove.execute(arguments: [Data(place.root), Data(place.path)]) }
                let insert = try database.cachedStatement(
                    sql: "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                )
                for record in change.records { try insert.execute(arguments: Self.values(record)) }
            }
        }
    }

    private static func values(_ record: ItemRecord) -> StatementArguments {
        [
            Data(record.place.root), Data(record.place.path), record.id, record.stamp.size,
            record.stamp.modifiedNanoseconds, Int64(bitPattern: record.stamp.inode),
            record.fingerprint.map { Int64(bitPattern: $0.high) }, record.fingerprint.map { Int64(bitPattern: $0.low) },
            record.isPresent, record.changed,
        ]
    }

    private static func record(_ row: Row) -> ItemRecord? {
        guard let root: Data = row.value("root"), let path: Data = row.value("path"), let id: String = row.value("id"),
            let size: Int64 = row.value("size"), let modified: Int64 = row.value("modified"),
            let inode: Int64 = row.value("inode"), let isPresent: Bool = row.value("present"),
            let changed: Int64 = row.value("changed")
        else { return nil }
        var fingerprint: ContentFingerprint?
        if let high: Int64 = row.value("high"), let low: Int64 = row.value("low") {
            fingerprint = ContentFingerprint(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
        }
        return ItemRecord(
            place: ItemRecord.Place(root: Array(root), path: Array(path)),
            id: id,
            stamp: ItemRecord.Stamp(size: size, modifiedNanoseconds: modified, inode: UInt64(bitPattern: inode)),
            fingerprint: fingerprint,
            isPresent: isPresent,
            changed: changed
        )
    }
}
