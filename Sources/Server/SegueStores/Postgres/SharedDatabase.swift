/// A PostgreSQL database that several servers share: keys, people, sessions, resume positions, and ids of files.
package struct SharedDatabase: Sendable {
    private static let version: Int64 = 1
    /// The advisory lock for creating the tables.
    private static let lock: Int64 = 0x5365_6775_65

    let database: PostgresDatabase

    /// Connects, and creates the tables if they are missing.
    ///
    /// - Parameter address: An address for ``PostgresDatabase/init(_:)``.
    /// - Throws: ``PostgresError``, ``SharedDatabaseError``.
    package init(_ address: String) throws {
        database = try PostgresDatabase(address)
        try database.transaction { transaction in
            try transaction.run("SELECT pg_advisory_xact_lock($1)", PostgresValue(Self.lock))
            let isThere =
                try transaction.run("SELECT to_regclass('segue_state') IS NOT NULL").rows.first?.isTrue(0) ?? false
            if !isThere { try transaction.execute(Self.tables) }
            try transaction.execute(Self.addedTables)
            let version = try transaction.run("SELECT version FROM segue_state").rows.first?.integer(0)
            guard version == Self.version else {
                throw SharedDatabaseError(
                    "the database has tables of version \(version.map(String.init) ?? "?"); this segue requires version \(Self.version)"
                )
            }
        }
    }

    private static let tables = """
        CREATE TABLE segue_state (version BIGINT NOT NULL, changes BIGINT NOT NULL);
        INSERT INTO segue_state VALUES (\(version), 0);
        CREATE TABLE segue_keys (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest BYTEA NOT NULL UNIQUE,
            shown TEXT, folders TEXT, until BIGINT, made BIGINT NOT NULL
        );
        CREATE TABLE segue_people (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
            folders TEXT, made BIGINT NOT NULL
        );
        CREATE TABLE segue_sessions (
            digest BYTEA PRIMARY KEY, person BIGINT NOT NULL REFERENCES segue_people (id) ON DELETE CASCADE,
            begun BIGINT NOT NULL, used BIGINT NOT NULL
        );
        CREATE INDEX segue_sessions_person ON segue_sessions (person, used);
        CREATE TABLE segue_points (
            identity TEXT NOT NULL, item TEXT NOT NULL, position DOUBLE PRECISION NOT NULL,
            duration DOUBLE PRECISION NOT NULL, finished BOOLEAN NOT NULL, at BIGINT NOT NULL, changed BIGINT NOT NULL,
            PRIMARY KEY (identity, item)
        );
        CREATE INDEX segue_points_at ON segue_points (identity, at DESC, item);
        """

    /// Tables that a database of this version may lack, because an earlier segue created it.
    private static let addedTables = """
        CREATE TABLE IF NOT EXISTS segue_items (
            root BYTEA NOT NULL, path BYTEA NOT NULL, id TEXT NOT NULL, size BIGINT NOT NULL, modified BIGINT NOT NULL,
            inode BIGINT NOT NULL, high BIGINT, low BIGINT, present BOOLEAN NOT NULL, changed BIGINT NOT NULL,
            PRIMARY KEY (root, path)
        );
        """
}

/// A database that servers cannot share.
package struct SharedDatabaseError: Error, Sendable, CustomStringConvertible {
    /// One line for people.
    package let description: String

    init(_ description: String) { self.description = description }
}
