package import SegueOrigin

/// A store of the ids of files in a database that several servers share.
package struct SharedItems: Sendable {
    private static let columns = "root, path, id, size, modified, inode, high, low, present, changed"

    private let database: PostgresDatabase

    package init(_ database: SharedDatabase) { self.database = database.database }

    /// Reads the records of all items, missing ones included.
    package func records() throws -> [ItemRecord] {
        try database.transaction {
            try $0.run("SELECT \(Self.columns) FROM segue_items").rows.compactMap(Self.record)
        }
    }

    /// Stores a change.
    package func store(_ change: StoredItems.Change) throws {
        try database.transaction { transaction in
            for place in change.removed {
                try transaction.run(
                    "DELETE FROM segue_items WHERE root = $1 AND path = $2",
                    PostgresValue(bytes: place.root),
                    PostgresValue(bytes: place.path)
                )
            }
            for record in change.records {
                try transaction.run(
                    """
                    INSERT INTO segue_items (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                    ON CONFLICT (root, path) DO UPDATE SET (\(Self.columns)) = ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                    """,
                    PostgresValue(bytes: record.place.root),
                    PostgresValue(bytes: record.place.path),
                    PostgresValue(record.id),
                    PostgresValue(record.stamp.size),
                    PostgresValue(record.stamp.modifiedNanoseconds),
                    PostgresValue(Int64(bitPattern: record.stamp.inode)),
                    PostgresValue(record.fingerprint.map { Int64(bitPattern: $0.high) }),
                    PostgresValue(record.fingerprint.map { Int64(bitPattern: $0.low) }),
                    PostgresValue(record.isPresent),
                    PostgresValue(record.changed)
                )
            }
        }
    }

    private static func record(_ row: PostgresRow) -> ItemRecord? {
        guard let root = row.bytes(0), let path = row.bytes(1), let id = row.text(2), let size = row.integer(3),
            let modified = row.integer(4), let inode = row.integer(5), let changed = row.integer(9)
        else { return nil }
        var fingerprint: ContentFingerprint?
        if let high = row.integer(6), let low = row.integer(7) {
            fingerprint = ContentFingerprint(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
        }
        return ItemRecord(
            place: ItemRecord.Place(root: root, path: path),
            id: id,
            stamp: ItemRecord.Stamp(size: size, modifiedNanoseconds: modified, inode: UInt64(bitPattern: inode)),
            fingerprint: fingerprint,
            isPresent: row.isTrue(8),
            changed: changed
        )
    }
}
