internal import Foundation
internal import GRDB
package import SegueAccess
internal import Synchronization

/// Keys, people and sessions in an SQLite file that only its owner may read, and several processes share.
package final class AccessStore: AccessRecords {
    /// How long one call waits for another process, in seconds.
    private static let patience = 5.0
    /// The version of the tables.
    private static let version = 1
    private let database: DatabaseQueue
    private let path: String
    /// SQLite tells a connection of the changes of others alone.
    private let ownChanges = Mutex(0)

    /// Opens it, in a folder that is made where there is none.
    ///
    /// - Throws: ``AccessFailure`` where it cannot be opened, or is something else.
    package init(folder: String) throws {
        path = folder + "/access.sqlite"
        try PrivateFile.makeFolder(folder)
        try PrivateFile.make(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.patience)
        configuration.label = "access"
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.inTransaction(.immediate) { database in
                try Self.prepare(database)
                return .commit
            }
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func prepare(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if version == Self.version { return }
        guard version == 0, try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
            throw AccessFailure("", "is not this segue's list of keys and people (its version is \(version))")
        }
        try database.execute(
            sql: """
                CREATE TABLE keys (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, digest BLOB NOT NULL UNIQUE,
                    shown TEXT, folders TEXT, until INTEGER, made INTEGER NOT NULL
                );
                CREATE TABLE people (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
                    folders TEXT, made INTEGER NOT NULL
                );
                CREATE TABLE sessions (
                    digest BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
                    begun INTEGER NOT NULL, used INTEGER NOT NULL
                );
                CREATE INDEX sessions_person ON sessions (person, used);
                PRAGMA user_version = \(Self.version);
                """
        )
    }

    package func book(since state: AccessState?) throws -> (book: AccessBook, state: AccessState)? {
        try attempt {
            // What this process changes from here on is seen the next time.
            let own = ownChanges.withLock { $0 }
            return try database.read { database in
                let others = try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
                let now = AccessState(own: own, others: others)
                return now == state ? nil : (try Self.book(database), now)
            }
        }
    }

    private static func book(_ database: Database) throws -> AccessBook {
        let keys = try Row.fetchAll(database, sql: "SELECT * FROM keys ORDER BY id").compactMap { row in
            SecretDigest(bytes: Array(row["digest"] as Data)).map {
                KeyEntry(
                    id: row["id"],
                    name: row["name"],
                    digest: $0,
                    shown: row["shown"],
                    folders: FolderLines.list(row["folders"]),
                    until: row["until"],
                    made: row["made"]
                )
            }
        }
        let people = try Row.fetchAll(database, sql: "SELECT * FROM people ORDER BY name").compactMap { row in
            PasswordHash(row["password"] as String).map {
                Person(
                    id: row["id"],
                    name: row["name"],
                    password: $0,
                    folders: FolderLines.list(row["folders"]),
                    made: row["made"]
                )
            }
        }
        let sessions = try Row.fetchAll(database, sql: "SELECT * FROM sessions").compactMap { row in
            SecretDigest(bytes: Array(row["digest"] as Data)).map {
                Session(digest: $0, person: row["person"], begun: row["begun"], used: row["used"])
            }
        }
        return AccessBook(keys: keys, people: people, sessions: sessions)
    }

    package func add(
        _ key: AccessKey,
        name: String,
        isShown: Bool,
        folders: [String]?,
        until: Int64?,
        now: Int64
    ) throws {
        try write(taken: "key '\(name)'") { database in
            try database.execute(
                sql: "INSERT INTO keys (name, digest, shown, folders, until, made) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    name, Data(key.digest.bytes), isShown ? key.text : nil, FolderLines.text(folders), until, now,
                ]
            )
        }
    }

    package func removeKey(_ name: String) throws -> Bool {
        try write { try $0.execute(sql: "DELETE FROM keys WHERE name = ?", arguments: [name]) } > 0
    }

    package func addPerson(_ name: String, password: PasswordHash, folders: [String]?, now: Int64) throws {
        try write(taken: "person '\(name)'") { database in
            try database.execute(
                sql: "INSERT INTO people (name, password, folders, made) VALUES (?, ?, ?, ?)",
                arguments: [name, password.text, FolderLines.text(folders), now]
            )
        }
    }

    package func setPassword(_ password: PasswordHash, of name: String) throws -> Bool {
        try write { database in
            try database.execute(
                sql: "DELETE FROM sessions WHERE person IN (SELECT id FROM people WHERE name = ?)",
                arguments: [name]
            )
            try database.execute(
                sql: "UPDATE people SET password = ? WHERE name = ?",
                arguments: [password.text, name]
            )
        } > 0
    }

    package func removePerson(_ name: String) throws -> Bool {
        try write { try $0.execute(sql: "DELETE FROM people WHERE name = ?", arguments: [name]) } > 0
    }

    package func begin(_ session: Session) throws {
        try write { database in
            try database.execute(
                sql: """
                    DELETE FROM sessions WHERE used <= ? OR begun <= ? OR digest IN (
                        SELECT digest FROM sessions WHERE person = ? ORDER BY used DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [
                    session.begun - Session.idleLimit, session.begun - Session.limit, session.person,
                    Session.most - 1,
                ]
            )
            try database.execute(
                sql: "INSERT INTO sessions (digest, person, begun, used) VALUES (?, ?, ?, ?)",
                arguments: [Data(session.digest.bytes), session.person, session.begun, session.used]
            )
        }
    }

    package func note(_ session: Session, usedAt now: Int64) throws {
        try write { database in
            try database.execute(
                sql: "UPDATE sessions SET used = ? WHERE digest = ?",
                arguments: [now, Data(session.digest.bytes)]
            )
        }
    }

    package func end(_ session: SecretDigest) throws {
        try write { database in
            try database.execute(sql: "DELETE FROM sessions WHERE digest = ?", arguments: [Data(session.bytes)])
        }
    }

    /// Changes something; the count is that of the last statement.
    @discardableResult
    private func write(taken name: String? = nil, _ work: (Database) throws -> Void) throws -> Int {
        try attempt(taken: name) {
            defer { ownChanges.withLock { $0 += 1 } }
            return try database.write { database in
                try work(database)
                return database.changesCount
            }
        }
    }

    private func attempt<Value>(taken name: String? = nil, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw AccessFailure(name ?? path, "there is one of this name already")
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> AccessFailure {
        switch error {
        case let error as AccessFailure: AccessFailure(path, error.reason)
        case let error as DatabaseError: AccessFailure(path, "SQLite: \(error.message ?? "\(error.resultCode)")")
        default: AccessFailure(path, "\(error)")
        }
    }
}
