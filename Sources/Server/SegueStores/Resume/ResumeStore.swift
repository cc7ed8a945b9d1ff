internal import Foundation
internal import GRDB
package import SegueOrigin

/// Why where people stopped cannot be kept.
package struct ResumeStoreError: Error, CustomStringConvertible {
    /// The file.
    package var path: String
    /// What is the matter with it.
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}

/// Where people stopped, in an SQLite file that only its owner may read, and several processes share.
package final class ResumeStore: ResumePoints {
    /// How long one call waits for another process, in seconds.
    private static let patience = 5.0
    /// The version of the tables.
    private static let version = 1

    private let database: DatabaseQueue
    private let path: String

    /// Opens it, in a folder that is made where there is none.
    ///
    /// - Throws: ``ResumeStoreError`` where it cannot be opened, or is something else.
    package init(folder: String) throws(ResumeStoreError) {
        let path = folder + "/resume.sqlite"
        self.path = path
        do {
            try Self.makeFile(path, in: folder)
            var configuration = Configuration()
            configuration.busyMode = .timeout(Self.patience)
            configuration.label = "resume"
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.inTransaction(.immediate) { database in
                try Self.prepare(database, path)
                return .commit
            }
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Makes the file for its owner alone, as SQLite would make it for all.
    private static func makeFile(_ path: String, in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw ResumeStoreError(path: path, reason: "open: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else {
            throw ResumeStoreError(path: path, reason: "fchmod: \(String(cString: strerror(errno)))")
        }
    }

    private static func prepare(_ database: Database, _ path: String) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if version == Self.version { return }
        guard version == 0, try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
            throw ResumeStoreError(path: path, reason: "is not this segue's list of where people stopped")
        }
        try database.execute(
            sql: """
                CREATE TABLE points (
                    identity TEXT NOT NULL, item TEXT NOT NULL, position REAL NOT NULL, duration REAL NOT NULL,
                    finished INTEGER NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL,
                    PRIMARY KEY (identity, item)
                ) WITHOUT ROWID;
                CREATE INDEX points_at ON points (identity, at DESC, item);
                PRAGMA user_version = \(Self.version);
                """
        )
    }

    package func points(of identity: String) throws -> [ResumePoint] {
        try attempt {
            try database.read { database in
                try Row.fetchAll(
                    database,
                    sql: "SELECT * FROM points WHERE identity = ? ORDER BY at DESC, item LIMIT ?",
                    arguments: [identity, ResumePoint.most]
                ).map(Self.point)
            }
        }
    }

    package func keep(_ point: ResumePoint, of identity: String) throws -> ResumePoint {
        try attempt {
            try database.write { database in
                let kept = try Row.fetchOne(
                    database,
                    sql: "SELECT * FROM points WHERE identity = ? AND item = ?",
                    arguments: [identity, point.id]
                ).map(Self.point)
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
        try attempt {
            try database.write { database in
                try database.execute(
                    sql: "DELETE FROM points WHERE identity = ? AND item = ?",
                    arguments: [identity, id]
                )
            }
        }
    }

    private static func point(_ row: Row) -> ResumePoint {
        ResumePoint(
            id: row["item"],
            position: row["position"],
            duration: row["duration"],
            isFinished: row["finished"],
            at: row["at"],
            changed: row["changed"]
        )
    }

    private func attempt<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> ResumeStoreError {
        switch error {
        case let error as ResumeStoreError: error
        case let error as DatabaseError:
            ResumeStoreError(path: path, reason: "SQLite: \(error.message ?? "\(error.resultCode)")")
        default: ResumeStoreError(path: path, reason: error.localizedDescription)
        }
    }
}
