internal import Foundation
internal import GRDB
package import SegueAccess
internal import Synchronization

/// A store of keys, people, and sessions, in an SQLite file that only its owner may read and several processes share.
package final class AccessStore: AccessRecords {
    private let database: PrivateDatabase
    /// The number of changes by this process: SQLite reports those of other connections only.
    private let ownChanges = Mutex(0)

    /// Opens the store in a folder, which is created if it is missing.
    ///
    /// - Throws: ``AccessFailure`` if the file cannot be opened or has other content.
    package init(folder: String) throws {
        do {
            database = try PrivateDatabase(
                folder + "/access.sqlite",
                content: "keys and people",
                version: 1,
                tables: Self.tables
            )
        } catch {
            throw AccessFailure(error.path, error.reason)
        }
    }

    private static let tables = """
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
        """

    package func book(since state: AccessState?) throws -> (book: AccessBook, state: AccessState)? {
        try attempt { () throws(PrivateDatabase.Failure) in
            // Later changes of this process are seen the next time.
            let own = ownChanges.withLock { $0 }
            return try database.read { database in
                let others = try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
                let now = AccessState(own: own, others: others, file: self.database.generation)
                return now == state ? nil : (try Self.book(database), now)
            }
        }
    }

    private static func book(_ database: Database) throws -> AccessBook {
        AccessBook(
            keys: try Row.fetchAll(database, sql: "SELECT * FROM keys ORDER BY id").compactMap(key),
            people: try Row.fetchAll(database, sql: "SELECT * FROM people ORDER BY name").compactMap(person),
            sessions: try Row.fetchAll(database, sql: "SELECT * FROM sessions").compactMap(session)
        )
    }

    private static func key(_ row: Row) -> KeyEntry? {
        guard let id: Int64 = row.value("id"), let name: String = row.value("name"), let digest = digest(row),
            let made: Int64 = row.value("made")
        else { return nil }
        var entry = KeyEntry(id: id, name: name, digest: digest, made: made)
        entry.shown = row.value("shown")
        entry.folders = FolderLines.list(row.value("folders"))
        entry.until = row.value("until")
        return entry
    }

    private static func person(_ row: Row) -> Person? {
        guard let id: Int64 = row.value("id"), let name: String = row.value("name"),
            let password: String = row.value("password"), let hash = PasswordHash(password),
            let made: Int64 = row.value("made")
        else { return nil }
        return Person(
            id: id,
            name: name,
            password: hash,
            folders: FolderLines.list(row.value("folders")),
            made: made
        )
    }

    private static func session(_ row: Row) -> Session? {
        guard let digest = digest(row), let person: Int64 = row.value("person"), let begun: Int64 = row.value("begun"),
            let used: Int64 = row.value("used")
        else { return nil }
        return Session(digest: digest, person: person, begun: begun, used: used)
    }

    private static func digest(_ row: Row) -> SecretDigest? {
        guard let bytes: Data = row.value("digest") else { return nil }
        return SecretDigest(bytes: Array(bytes))
    }

    package func add(_ key: AccessKey, name: String, grant: KeyGrant, now: Int64) throws {
        try write(taken: "key '\(name)'") { database in
            try database.execute(
                sql: "INSERT INTO keys (name, digest, shown, folders, until, made) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    name, Data(key.digest.bytes), grant.isShown ? key.text : nil, FolderLines.text(grant.folders),
                    grant.until, now,
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

    /// Changes something and returns the number of rows that the last statement changed.
    @discardableResult
    private func write(taken name: String? = nil, _ work: (Database) throws -> Void) throws -> Int {
        try attempt(taken: name) { () throws(PrivateDatabase.Failure) in
            defer { ownChanges.withLock { $0 += 1 } }
            return try database.write { database in
                try work(database)
                return database.changesCount
            }
        }
    }

    private func attempt<Value>(
        taken name: String? = nil,
        _ work: () throws(PrivateDatabase.Failure) -> Value
    ) throws(AccessFailure) -> Value {
        do throws(PrivateDatabase.Failure) {
            return try work()
        } catch {
            if error.isDuplicate { throw AccessFailure(name ?? error.path, "the name is already in use") }
            throw AccessFailure(error.path, error.reason)
        }
    }
}
