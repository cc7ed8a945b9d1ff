internal import CSeguePostgres

/// A connection, used by one thread at a time.
///
/// Unchecked: libpq's pointer is not Sendable. It never leaves the lock of its ``PostgresDatabase``, and libpq allows
/// any thread to use a connection that no other thread uses (its documentation, section 34.20).
final class PostgresConnection: @unchecked Sendable {
    /// The call after which the outcome of a transaction is unknown if the connection is lost.
    static let committing = "COMMIT"

    /// The options of every connection: time limits, and text in UTF-8.
    private static let settings: [(name: String, value: String)] = [
        ("connect_timeout", "10"), ("tcp_user_timeout", "10000"), ("client_encoding", "UTF8"),
        ("options", "-c statement_timeout=5000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=10000"),
        ("fallback_application_name", "segue"),
    ]

    private let connection: OpaquePointer
    private let server: String

    /// Connects.
    ///
    /// - Throws: ``PostgresError``.
    init(_ address: String) throws(PostgresError) {
        // Options in the address override these.
        let names = Self.settings.map(\.name) + ["dbname"]
        let values = Self.settings.map(\.value) + [address]
        let made = Self.withTexts(names) { names in
            Self.withTexts(values) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let made else {
            throw PostgresError(server: "?", call: "PQconnectdbParams", reason: "no memory", state: "", isLost: false)
        }
        let place = Self.place(made)
        guard PQstatus(made) == CONNECTION_OK else {
            defer { PQfinish(made) }
            throw PostgresError(
                server: place,
                call: "PQconnectdbParams",
                reason: PostgresError.line(String(cString: PQerrorMessage(made))),
                state: "",
                isLost: true
            )
        }
        (connection, server) = (made, place)
        // By default libpq prints notices to standard error.
        PQsetNoticeProcessor(made, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// Runs one statement with values.
    ///
    /// - Throws: ``PostgresError``.
    func run(_ statement: String, _ values: [PostgresValue]) throws(PostgresError) -> (
        rows: [PostgresRow], changed: Int
    ) {
        let result = Self.withTexts(values.map(\.text)) { values in
            PQexecParams(connection, statement, Int32(values.count - 1), nil, values.baseAddress, nil, nil, 0)
        }
        defer { PQclear(result) }
        try check(result, "PQexecParams")
        let columns = PQnfields(result)
        let rows = (0..<PQntuples(result)).map { row in
            PostgresRow(
                columns: (0..<columns).map { column in
                    PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
                }
            )
        }
        return (rows, Int(String(cString: PQcmdTuples(result))) ?? 0)
    }

    /// Runs statements without values.
    ///
    /// - Throws: ``PostgresError``.
    func execute(_ statements: String, as call: String = "PQexec") throws(PostgresError) {
        let result = PQexec(connection, statements)
        defer { PQclear(result) }
        try check(result, call)
    }

    private func check(_ result: OpaquePointer?, _ call: String) throws(PostgresError) {
        let status = PQresultStatus(result)
        if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return }
        // SQLSTATE's field, 'C'.
        let state = PQresultErrorField(result, 67).map { String(cString: $0) } ?? ""
        throw PostgresError(
            server: server,
            call: call,
            reason: PostgresError.line(String(cString: PQerrorMessage(connection))),
            state: state,
            isLost: PQstatus(connection) != CONNECTION_OK
        )
    }

    /// The server and database, without a password.
    private static func place(_ connection: OpaquePointer) -> String {
        func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        let (host, port, name) = (text(PQhost(connection)), text(PQport(connection)), text(PQdb(connection)))
        return "\(host.isEmpty ? "?" : host)\(port.isEmpty ? "" : ":" + port)/\(name)"
    }

    /// Passes texts to C as an array with a null pointer at the end, and one for each nil.
    private static func withTexts<Value>(
        _ texts: [String?],
        _ work: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let bytes = texts.map { $0.map { Array($0.utf8CString) } ?? [] }
        let all = bytes.flatMap { $0 }
        return all.withUnsafeBufferPointer { all in
            var (pointers, offset): ([UnsafePointer<CChar>?], Int) = ([], 0)
            for text in bytes {
                pointers.append(text.isEmpty ? nil : all.baseAddress.map { $0 + offset })
                offset += text.count
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer(work)
        }
    }

    private static func withTexts<Value>(
        _ texts: [String],
        _ work: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        withTexts(texts.map(Optional.some)) { work($0.baseAddress) }
    }
}
