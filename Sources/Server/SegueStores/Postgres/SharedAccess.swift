package import SegueAccess

/// A store of keys, people, and sessions in a database that several servers share.
package struct SharedAccess: AccessRecords {
    private let database: PostgresDatabase

    package init(_ database: SharedDatabase) { self.database = database.database }

    package func book(since state: AccessState?) throws -> (book: AccessBook, state: AccessState)? {
        try attempt {
            try database.transaction { transaction in
                // The content and the counter must be from the same moment.
                try transaction.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                let changes = try transaction.run("SELECT changes FROM segue_state").rows.first?.integer(0) ?? 0
                let now = AccessState(own: 0, others: changes)
                return now == state ? nil : (try Self.book(transaction), now)
            }
        }
    }

    private static func book(_ transaction: borrowing PostgresTransaction) throws -> AccessBook {
        let keys = try transaction.run(
            "SELECT id, name, digest, shown, folders, until, made FROM segue_keys ORDER BY id"
        ).rows
            .compactMap { row -> KeyEntry? in
                guard let id = row.integer(0), let name = row.text(1),
                    let digest = row.bytes(2).flatMap(SecretDigest.init(bytes:)),
                    let made = row.integer(6)
                else { return nil }
                var entry = KeyEntry(id: id, name: name, digest: digest, made: made)
                entry.shown = row.text(3)
                entry.folders = FolderLines.list(row.text(4))
                entry.until = row.integer(5)
                return entry
            }
        let people = try transaction.run("SELECT id, name, password, folders, made FROM segue_people").rows
            .compactMap { row -> Person? in
                guard let id = row.integer(0), let name = row.text(1),
                    let password = row.text(2).flatMap({ PasswordHash($0) }),
                    let made = row.integer(4)
                else { return nil }
                return Person(
                    id: id,
                    name: name,
                    password: password,
                    folders: FolderLines.list(row.text(3)),
                    made: made
                )
            }
        let sessions = try transaction.run("SELECT digest, person, begun, used FROM segue_sessions").rows
            .compactMap { row -> Session? in
                guard let digest = row.bytes(0).flatMap(SecretDigest.init(bytes:)), let person = row.integer(1),
                    let begun = row.integer(2), let used = row.integer(3)
                else { return nil }
                return Session(digest: digest, person: person, begun: begun, used: used)
            }
        return AccessBook(keys: keys, people: people.sorted { $0.name < $1.name }, sessions: sessions)
    }

    package func add(_ key: AccessKey, name: String, grant: KeyGrant, now: Int64) throws {
        try write(taken: "key '\(name)'") {
            try $0.run(
                "INSERT INTO segue_keys (name, digest, shown, folders, until, made) VALUES ($1, $2, $3, $4, $5, $6)",
                PostgresValue(name),
                PostgresValue(bytes: key.digest.bytes),
                PostgresValue(grant.isShown ? key.text : nil),
                PostgresValue(FolderLines.text(grant.folders)),
                PostgresValue(grant.until),
                PostgresValue(now)
            ).changed
        }
    }

    package func removeKey(_ name: String) throws -> Bool {
        try write { try $0.run("DELETE FROM segue_keys WHERE name = $1", PostgresValue(name)).changed } > 0
    }

    package func addPerson(_ name: String, password: PasswordHash, folders: [String]?, now: Int64) throws {
        try write(taken: "person '\(name)'") {
            try $0.run(
                "INSERT INTO segue_people (name, password, folders, made) VALUES ($1, $2, $3, $4)",
                PostgresValue(name),
                PostgresValue(password.text),
                PostgresValue(FolderLines.text(folders)),
                PostgresValue(now)
            ).changed
        }
    }

    package func setPassword(_ password: PasswordHash, of name: String) throws -> Bool {
        try write {
            try $0.run(
                "DELETE FROM segue_sessions WHERE person IN (SELECT id FROM segue_people WHERE name = $1)",
                PostgresValue(name)
            )
            return try $0.run(
                "UPDATE segue_people SET password = $1 WHERE name = $2",
                PostgresValue(password.text),
                PostgresValue(name)
            ).changed
        } > 0
    }

    package func removePerson(_ name: String) throws -> Bool {
        try write { try $0.run("DELETE FROM segue_people WHERE name = $1", PostgresValue(name)).changed } > 0
    }

    package func begin(_ session: Session) throws {
        try write {
            try $0.run(
                """
                DELETE FROM segue_sessions WHERE used <= $1 OR begun <= $2 OR digest IN (
                    SELECT digest FROM segue_sessions WHERE person = $3 ORDER BY used DESC OFFSET $4)
                """,
                PostgresValue(session.begun - Session.idleLimit),
                PostgresValue(session.begun - Session.limit),
                PostgresValue(session.person),
                PostgresValue(Session.most - 1)
            )
            return try $0.run(
                "INSERT INTO segue_sessions (digest, person, begun, used) VALUES ($1, $2, $3, $4)",
                PostgresValue(bytes: session.digest.bytes),
                PostgresValue(session.person),
                PostgresValue(session.begun),
                PostgresValue(session.used)
            ).changed
        }
    }

    package func note(_ session: Session, usedAt now: Int64) throws {
        try write {
            try $0.run(
                "UPDATE segue_sessions SET used = $1 WHERE digest = $2",
                PostgresValue(now),
                PostgresValue(bytes: session.digest.bytes)
            ).changed
        }
    }

    package func end(_ session: SecretDigest) throws {
        try write {
            try $0.run("DELETE FROM segue_sessions WHERE digest = $1", PostgresValue(bytes: session.bytes)).changed
        }
    }

    /// Changes the content and increments the counter, so that every server notices.
    @discardableResult
    private func write(
        taken name: String? = nil,
        _ work: (borrowing PostgresTransaction) throws -> Int
    ) throws -> Int {
        try attempt(taken: name) {
            try database.transaction { transaction in
                try transaction.run("UPDATE segue_state SET changes = changes + 1")
                return try work(transaction)
            }
        }
    }

    private func attempt<Value: Sendable>(taken name: String? = nil, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as PostgresError {
            if error.isTaken { throw AccessFailure(name ?? "the session", "the name is already in use") }
            throw AccessFailure("PostgreSQL at \(error.server)", "\(error.call): \(error.reason)")
        }
    }
}
