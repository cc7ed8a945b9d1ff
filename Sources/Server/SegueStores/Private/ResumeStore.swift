internal import Foundation
internal import GRDB
package import SegueOrigin

/// A store of resume positions, in an SQLite file that only its owner may read and several processes share.
package final class ResumeStore: ResumePoints {
    private let database: PrivateDatabase

    /// Opens the store in a folder, which is created if it is missing.
    ///
    /// - Throws: ``StoreError`` if the file cannot be opened or has other content.
    package init(folder: String) throws(StoreError) {
        database = try StoreError.attempt { () throws(PrivateDatabase.Failure) in
            try PrivateDatabase(
                folder + "/resume.sqlite",
                content: "resume positions",
                version: 1,
                tables: Self.tables
            )
        }
    }

    private static let tables = """
        CREATE TABLE points (
            identity TEXT NOT NULL, item TEXT NOT NULL, position REAL NOT NULL, duration REAL NOT NULL,
            finished INTEGER NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL,
            PRIMARY KEY (identity, item)
        ) WITHOUT ROWID;
        CREATE INDEX points_at ON points (identity, at DESC, item);
        """

    package func points(of identity: String) throws -> [ResumePoint] {
        try StoreError.attempt { () throws(PrivateDatabase.Failure) in
            try database.read { database in
                try Row.fetchAll(
                    database,
                    sql: "SELECT * FROM points WHERE identity = ? ORDER BY at DESC, item LIMIT ?",
                    arguments: [identity, ResumePoint.most]
                ).compactMap(Self.point)
            }
        }
    }

    package func keep(_ point: ResumePoint, of identity: String) throws -> ResumePoint {
        try StoreError.attempt { () throws(PrivateDatabase.Failure) in
            try database.write { database in
                let kept = try Row.fetchOne(
                    database,
                    sql: "SELECT * FROM points WHERE identity = ? AND item = ?",
                    arguments: [identity, point.id]
                ).flatMap(Self.point)
                let merged = ResumePoint.merged(kept, with: point)
                if merged == kept { return merged }
                try database.execute(
                    sql: "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        identity, merged.id, merged.position, merged.duration, merged.isFinished, merged.at,
                        merged.changed,
                    ]
                )
                if kept == nil {
                    try database.execute(
                        sql: """
                            DELETE FROM points WHERE identity = ? AND item IN (
                                SELECT item FROM points WHERE identity = ? ORDER BY at DESC, item LIMIT -1 OFFSET ?)
                            """,
                        arguments: [identity, identity, ResumePoint.most]
                    )
                }
                return merged
            }
        }
    }

    package func forget(_ id: String, of identity: String) throws {
        try StoreError.attempt { () throws(PrivateDatabase.Failure) in
            try database.write { database in
                try database.execute(
                    sql: "DELETE FROM points WHERE identity = ? AND item = ?",
                    arguments: [identity, id]
                )
            }
        }
    }

    private static func point(_ row: Row) -> ResumePoint? {
        guard let id: String = row.value("item"), let position: Double = row.value("position"),
            let duration: Double = row.value("duration"), let isFinished: Bool = row.value("finished"),
            let at: Int64 = row.value("at"), let changed: Int64 = row.value("changed")
        else { return nil }
        return ResumePoint(
            id: id,
            position: position,
            duration: duration,
            isFinished: isFinished,
            at: at,
            changed: changed
        )
    }
}
