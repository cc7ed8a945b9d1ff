internal import CSegueSQLite

/// One connection to an SQLite database, for one thread at a time.
final class SQLiteConnection {
    /// What SQLite refused to do.
    struct Failure: Error {
        /// SQLite's code, without its extension.
        let code: Int32
        /// SQLite's words.
        let message: String

        /// Whether the file is no database, or a damaged one.
        var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
        /// Whether another process held the database for longer than anybody waits.
        var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
    }

    /// A value that is put into a statement.
    enum Value {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
    }

    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// How long one call waits for another process, in milliseconds.
    private static let patience: Int32 = 1000

    /// Opens a database, and makes it where there is none.
    ///
    /// - Throws: ``Failure``.
    init(path: String) throws(Failure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = Failure(code: code & 0xff, message: SQLiteConnection.words(opened, code))
            sqlite3_close_v2(opened)
            throw failure
        }
        connection = opened
        sqlite3_busy_timeout(opened, SQLiteConnection.patience)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// Runs statements that take and give nothing.
    ///
    /// - Throws: ``Failure``.
    func run(_ sql: String) throws(Failure) { try check(sqlite3_exec(connection, sql, nil, nil, nil)) }

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: The statement, with a question mark for each value.
    ///   - values: The values.
    ///   - row: Lends each row of the answer.
    /// - Throws: ``Failure``.
    func run(_ sql: String, _ values: [Value], row: (SQLiteRow) -> Void = { _ in }) throws(Failure) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (place, value) in values.enumerated() { try bind(value, at: Int32(place + 1), of: statement) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { return try check(code) }
            row(SQLiteRow(statement: statement))
        }
    }

    private func prepared(_ sql: String) throws(Failure) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var made: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &made, nil))
        guard let made else { throw Failure(code: SQLITE_MISUSE, message: "no statement: \(sql)") }
        statements[sql] = made
        return made
    }

    private func bind(_ value: Value, at place: Int32, of statement: OpaquePointer) throws(Failure) {
        // SQLite copies what it is given.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .integer(let number): try check(sqlite3_bind_int64(statement, place, number))
        case .text(let text): try check(sqlite3_bind_text(statement, place, text, -1, copied))
        case .bytes(let bytes):
            try check(sqlite3_bind_blob64(statement, place, bytes, UInt64(bytes.count), copied))
        }
    }

    private func check(_ code: Int32) throws(Failure) {
        guard code != SQLITE_OK else { return }
        throw Failure(code: code & 0xff, message: SQLiteConnection.words(connection, code))
    }

    private static func words(_ connection: OpaquePointer?, _ code: Int32) -> String {
        String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }
}

/// A row of an answer, while it is lent.
struct SQLiteRow {
    fileprivate let statement: OpaquePointer

    /// A column as a number.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// A column as bytes.
    func bytes(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
