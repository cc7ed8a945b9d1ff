internal import Foundation
internal import GRDB
internal import SegueBase
package import SegueComparison

/// The runs of a suite in an SQLite file that several processes may share.
///
/// A run is added completely or not at all. A result is stored once while it stays the same, so an unchanged case takes
/// about fifty bytes per run.
package final class RunHistory {
    package struct Run: Sendable, Equatable {
        /// The number, from 1; never reused.
        package let number: Int64
        package let facts: RunFacts
        /// The number of cases, of those that are bad, and of those that were judged.
        package let cases: Int
        package let bad: Int
        package let judged: Int

        /// True if nothing failed and something was judged.
        package var isGreen: Bool { bad == 0 && judged > 0 }
    }

    /// The default number of runs to keep.
    package static let usualRuns = 200

    /// The time that a call waits for another process, in seconds.
    private static let patience = 60.0

    /// The version of the schema.
    private static let version = 2

    let database: DatabaseQueue
    package let path: String

    /// Opens a history.
    ///
    /// `isMade` decides whether to create a missing file.
    ///
    /// - Throws: ``RunFailure``.
    package init(path: String, isMade: Bool) throws(RunFailure) {
        self.path = path
        if !isMade, !FileManager.default.fileExists(atPath: path) {
            throw RunFailure(path, "no such file; segue regress --history \(path) creates the history")
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.patience)
        configuration.label = "history"
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            }
            try database.inTransaction(.immediate) { database in
                try Self.prepare(database)
                return .commit
            }
        } catch let error as RunFailure {
            throw RunFailure(path, error.why)
        } catch {
            throw RunFailure(path, error)
        }
    }

    /// Creates the tables, or checks their version.
    private static func prepare(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if version == Self.version { return }
        if version == 1 {
            try database.execute(sql: "ALTER TABLE names ADD COLUMN device TEXT")
            try database.execute(sql: "PRAGMA user_version = \(Self.version)")
            return
        }
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard version == 0, isEmpty else {
            throw RunFailure(
                "",
                version > Self.version
                    ? "was written by a newer version of segue (schema \(version), expected \(Self.version) or older)"
                    : "is a database of another program, not a history"
            )
        }
        try database.execute(sql: schema)
        try database.execute(sql: "PRAGMA user_version = \(Self.version)")
    }

    private static let schema = """
        CREATE TABLE runs (
            number INTEGER PRIMARY KEY AUTOINCREMENT, facts TEXT NOT NULL, cases INTEGER NOT NULL,
            bad INTEGER NOT NULL, judged INTEGER NOT NULL
        );
        CREATE TABLE names (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, file TEXT NOT NULL, scenario TEXT NOT NULL,
            network TEXT NOT NULL, platform TEXT NOT NULL, app TEXT NOT NULL, seed INTEGER NOT NULL,
            device TEXT
        );
        CREATE TABLE outcomes (id INTEGER PRIMARY KEY, name INTEGER NOT NULL, verdict TEXT NOT NULL, body TEXT NOT NULL);
        CREATE INDEX outcomes_name ON outcomes (name);
        CREATE TABLE results (
            run INTEGER NOT NULL, place INTEGER NOT NULL, name INTEGER NOT NULL, outcome INTEGER NOT NULL, seconds REAL,
            PRIMARY KEY (run, place)
        ) WITHOUT ROWID;
        CREATE INDEX results_name ON results (name, run);
        CREATE INDEX results_outcome ON results (outcome);
        """
}

/// The failure to read or store a run.
package struct RunFailure: Error, Equatable, CustomStringConvertible {
    /// The file, folder, or name of the run.
    package let what: String
    package let why: String

    package var description: String { "\(what): \(why)" }

    package init(_ what: String, _ why: String) { (self.what, self.why) = (what, why) }

    /// An error of SQLite or the system.
    init(_ path: String, _ error: any Error) {
        if let failure = error as? RunFailure {
            self = failure
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(path, error.localizedDescription)
            return
        }
        let words = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB: self.init(path, "is not a history: \(words)")
        case .SQLITE_CORRUPT: self.init(path, "is corrupt: \(words)")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(path, "another process locked the file for more than 60 s; try again")
        default: self.init(path, words)
        }
    }
}
