import Foundation
import SegueTestSupport

/// A PostgreSQL server in a folder of its own, reached by a socket in it.
final class PostgresServer: Sendable {
    /// The folder of its programs on Debian; nil if it is not installed.
    static let programs: String? = {
        let versions = "/usr/lib/postgresql"
        let found = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
        return found.compactMap(Int.init).max().map { "\(versions)/\($0)/bin" }
    }()

    /// One server for all tests, each of which has a database of its own.
    static let shared = Result { try PostgresServer() }

    private let folder: TestFolder
    private let data: String

    private init() throws {
        folder = try TestFolder()
        data = folder.file("data")
        try Self.giveToUser(folder.path)
        try Self.run("initdb", "-D", data, "-A", "trust", "-U", "segue", "--no-sync", "-E", "UTF8", "--locale=C")
        try start()
        atexit { _ = try? PostgresServer.shared.get().stop() }
    }

    /// Starts the server and waits until it responds.
    func start() throws {
        let options = "-k \(folder.path) -c listen_addresses= -c fsync=off -c max_connections=60"
        try Self.run("pg_ctl", "-D", data, "-l", folder.file("log"), "-w", "-t", "60", "-o", options, "start")
    }

    /// Stops the server and closes all connections.
    func stop() throws { try Self.run("pg_ctl", "-D", data, "-m", "fast", "-w", "-t", "60", "stop") }

    /// Creates a database.
    ///
    /// - Returns: Its address.
    func database() throws -> String {
        let name = "d" + UUID().uuidString.replacing("-", with: "").lowercased()
        try Self.run("createdb", "-h", folder.path, "-U", "segue", name)
        return "host=\(folder.path) user=segue dbname=\(name)"
    }

    /// PostgreSQL does not run as root.
    private static func giveToUser(_ folder: String) throws {
        guard getuid() == 0 else { return }
        try run(executable: "/usr/bin/env", ["chown", "postgres", folder])
        try run(executable: "/usr/bin/env", ["chmod", "o+x", (folder as NSString).deletingLastPathComponent])
    }

    private static func run(_ program: String, _ arguments: String...) throws {
        // The server must not inherit the descriptor by which Foundation notices the end of pg_ctl.
        let alone =
            "for file in /proc/$$/fd/*; do number=${file##*/}; [ $number -le 2 ] || eval \"exec $number>&-\"; done"
        let command = ["bash", "-c", alone + "; exec \"$@\"", "bash", (programs ?? "") + "/" + program] + arguments
        let asUser = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        try run(executable: "/usr/bin/env", getuid() == 0 ? asUser + command : command)
    }

    private static func run(executable: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): code \(process.terminationStatus)")
        }
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }
}
