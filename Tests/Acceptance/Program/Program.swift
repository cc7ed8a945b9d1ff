import Foundation
import SegueTestSupport
import Subprocess
import SystemPackage
import Testing

/// The built program, run as a user does.
enum Program {
    /// The result of a run.
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String

        /// The lines on standard error.
        var errorLines: [Substring] { errors.split(separator: "\n") }
    }

    /// The program beside the tests.
    static let path: String = {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let mapped = maps.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        let bundle = mapped.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("segue").path
    }()

    private static let own = try? TestFolder()

    /// The environment of the tests, with separate caches and data.
    static var environment: Environment {
        .inherit.updating(["XDG_CACHE_HOME": own?.path ?? "", "XDG_DATA_HOME": own?.path ?? ""])
    }

    /// Runs the program to its end, for at most two minutes.
    static func run(_ arguments: String..., in folder: TestFolder? = nil) async throws -> Outcome {
        try await run("timeout", ["120", path] + arguments, in: folder)
    }

    /// Runs another program of the system to its end.
    static func run(_ name: String, _ arguments: [String], in folder: TestFolder? = nil) async throws -> Outcome {
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                .name(name),
                arguments: Arguments(arguments),
                environment: environment,
                workingDirectory: folder.map { FilePath($0.path) },
                output: .string(limit: 16 << 20),
                error: .string(limit: 16 << 20)
            )
        }
        return Outcome(
            status: code(ended.terminationStatus),
            output: ended.standardOutput,
            errors: ended.standardError
        )
    }

    /// Serves a folder on a free port during an operation, for at most a number of seconds.
    ///
    /// - Returns: The exit code of the server, which is interrupted as by Control-C after the operation.
    @discardableResult
    static func serving(
        _ folder: String,
        listen: String = "127.0.0.1:0",
        with options: [String] = [],
        seconds: Int = 120,
        _ work: (ServedFolder) async throws -> Void
    ) async throws -> Int32 {
        let arguments = ["\(seconds)", path, "serve", folder, "--listen", listen, "--index-cache", "none"] + options
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                .name("timeout"),
                arguments: Arguments(arguments),
                environment: environment,
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                var lines = execution.standardOutput.strings().makeAsyncIterator()
                let served = ServedFolder(line: try #require(await lines.next()))
                defer { kill(execution.processIdentifier.value, SIGINT) }
                try await work(served)
            }
        }
        return code(ended.terminationStatus)
    }

    /// Runs the program until it prints a line that contains a text, and then sends it a signal.
    ///
    /// - Returns: The exit code.
    static func signalling(_ signal: Int32, atLineWith text: String, _ arguments: [String]) async throws -> Int32 {
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                .path(FilePath(path)),
                arguments: Arguments(arguments),
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                var isSent = false
                for try await line in execution.standardOutput.strings() where !isSent && line.contains(text) {
                    isSent = true
                    kill(execution.processIdentifier.value, signal)
                }
            }
        }
        return code(ended.terminationStatus)
    }

    private static func code(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}

/// A folder that `segue serve` serves.
struct ServedFolder: Sendable {
    /// The line that the program prints when it is ready.
    let line: String

    /// The server's address, with a slash at its end.
    var address: String {
        String(line.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: " ").last ?? "")
    }

    /// The address of the item whose name contains a word.
    func item(_ name: String) async throws -> String { "\(address)items/\(try await itemID(name))" }

    /// The ID of the item whose name contains a word.
    func itemID(_ name: String) async throws -> String {
        let items = try await Program.run("curl", ["-s", "\(address)api/items?q=\(name)"])
        return String(try #require(items.output.firstMatch(of: /"id":"([a-z0-9]+)"/)).1)
    }

    /// The response status of a path below an address.
    static func status(_ url: String) async throws -> String {
        let options = ["-s", "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}"]
        return try await Program.run("curl", options + [url]).output
    }
}
