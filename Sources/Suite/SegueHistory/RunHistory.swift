internal import Foundation
internal import GRDB
internal import SegueBase
package import SegueComparison

/// The runs of a suite, one after the other, in an SQLite file that several processes may share.
///
/// A run is added as a whole or not at all, whatever ends the process. What came of a case is kept once for as long as it
/// stays the same, so a case that never changes takes some fifty bytes a run.
package final class RunHistory {
    /// A run as the history has it.
    package struct Run: Sendable, Equatable {
        /// Its number, from 1; never given twice.
        package let number: Int64
        /// What is known of it.
        package let facts: RunFacts
        /// How many cases it has, and how many of them are bad, and were judged at all.
        package let cases: Int
        package let bad: Int
        package let judged: Int

        /// Whether nothing failed, and something was judged.
        package var isGreen: Bool { bad == 0 && judged > 0 }
    }

    /// How many runs are kept where nobody says.
    package static let usualRuns = 200

    /// How long one call waits for another process, in seconds.
    private static let patience = 60.0

    /// The version of the tables.
    private static let version = 1

    let database: DatabaseQueue
    /// The file.
    package let path: String

    /// Opens a history.
    ///
    /// - Parameters:
    ///   - isMade: Whether it is made where it is not there.
    /// - Throws: ``RunFailure`` where that cannot be, or the file is something else.
    package init(path: String, isMade: Bool) throws(RunFailure) {
        self.path = path
        if !isMade, !FileManager.default.fileExists(atPath: path) {
            throw RunFailure(path, "there is no such history; segue regress --history \(path) begins one")
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

    /// Makes the tables, or sees that they are those of this version.
    private static func prepare(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if version == Self.version { return }
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard version == 0, isEmpty else {
            throw RunFailure(
                "",
                version > Self.version
                    ? "is of a newer segue (its tables are of version \(version), this one knows \(Self.version))"
                    : "is another program's database, no history"
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
            network TEXT NOT NULL, platform TEXT NOT NULL, app TEXT NOT NULL, seed INTEGER NOT NULL
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

/// A run that cannot be read or kept: of which file, and why.
package struct RunFailure: Error, Equatable, CustomStringConvertible {
    /// The file, folder or name of the run.
    package let what: String
    /// What is wrong with it.
    package let why: String

    package var description: String { "\(what): \(why)" }

    /// A failure.
    package init(_ what: String, _ why: String) { (self.what, self.why) = (what, why) }

    /// What SQLite or the system refused.
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
        case .SQLITE_NOTADB: self.init(path, "is no history: \(words)")
        case .SQLITE_CORRUPT: self.init(path, "is a damaged history: \(words)")
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(path, "another process has held it for too long")
        default: self.init(path, words)
        }
    }
}
