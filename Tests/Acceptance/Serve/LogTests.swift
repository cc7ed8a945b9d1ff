import Foundation
import SegueTestSupport
import Subprocess
import SystemPackage
import Testing

@Suite struct `Logs on a full disk` {
    /// Runs `segue serve` with a log until a number of requests are answered.
    ///
    /// - Parameters:
    ///   - log: The log file.
    ///   - blocks: The limit of file sizes in KiB; nil for none.
    ///   - requests: The number of requests.
    /// - Returns: The exit of the program, and its standard error.
    /// - Throws: The reason if the program cannot be run.
    private func serving(log: String, blocks: Int?, requests: Int) async throws -> (status: Int32, errors: String) {
        let folder = try await AcceptanceMedia.folder.path
        let errors = try TestFolder()
        let limit = blocks.map { "ulimit -f \($0); " } ?? ""
        let script =
            "\(limit)exec \"$0\" serve \"$1\" --listen 127.0.0.1:0 --index-cache none --log \"$2\" 2>\"$3\""
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                .name("bash"),
                arguments: ["-c", script, Program.path, folder, log, errors.file("errors")],
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                var lines = execution.standardOutput.strings().makeAsyncIterator()
                let served = ServedFolder(line: try #require(await lines.next()))
                defer { kill(execution.processIdentifier.value, SIGINT) }
                let urls = (0..<requests).map { "\(served.address)none/\($0)" }
                _ = try await Program.run(
                    "curl",
                    ["-s", "-o", "/dev/null"] + urls.flatMap { ["-o", "/dev/null", $0] }
                )
            }
        }
        guard case .exited(let status) = ended.terminationStatus else { return (-1, "") }
        return (status, try String(contentsOfFile: errors.file("errors"), encoding: .utf8))
    }

    @Test func `report lost lines, and have complete lines`() async throws {
        let folder = try TestFolder()
        let log = folder.file("requests.jsonl")
        let (status, errors) = try await serving(log: log, blocks: 1, requests: 40)
        #expect(status == 2)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(text.utf8.count <= 1024 && text.hasSuffix("\n"))
        let lines = text.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("{\"t\":") && $0.hasSuffix("}") })
        #expect(lines.count { $0.hasPrefix("{") } == text.split(separator: "{").count)
        let words = "\(log): \(40 - lines.count) lines are lost: File too large"
        #expect(errors.contains("lines are lost until there is space") && errors.contains(words), "\(errors)")
    }

    @Test func `lose every line on a full device`() async throws {
        let (status, errors) = try await serving(log: "/dev/full", blocks: nil, requests: 3)
        #expect(status == 2)
        #expect(errors.contains("/dev/full: 3 lines are lost: No space left on device"), "\(errors)")
    }

    @Test func `report nothing with enough space`() async throws {
        let folder = try TestFolder()
        let (status, errors) = try await serving(log: folder.file("a.jsonl"), blocks: nil, requests: 3)
        #expect(status == 0)
        #expect(!errors.contains("lost"), "\(errors)")
        #expect(try String(contentsOfFile: folder.file("a.jsonl"), encoding: .utf8).split(separator: "\n").count == 3)
    }
}
