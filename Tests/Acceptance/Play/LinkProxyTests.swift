import Foundation
import SegueTestSupport
import Subprocess
import Testing

@Suite struct `Link in real time` {
    private static let size = 300_000
    private static let content = [UInt8]((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    /// Runs `segue link` with a network before a server of one file, during an operation with its address.
    private static func linking(
        _ network: String,
        _ options: [String] = [],
        _ work: (_ url: String, _ folder: TestFolder, _ lines: [String]) async throws -> Void
    ) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
        let server = try LoopbackServer { _ in [.send(Array(head.utf8) + content)] }
        defer { server.stop() }
        let folder = try TestFolder()
        let file = folder.file("network.yaml")
        try network.write(toFile: file, atomically: true, encoding: .utf8)
        let base = ["--listen", "127.0.0.1:0", "--to", "127.0.0.1:\(server.port)", "--network", file, "--quiet"]
        try await running(base + options, lines: options.contains("--control") ? 2 : 1) { lines in
            let address = try #require(lines[0].firstMatch(of: /listening on (\S+) ->/)).1
            try await work("http://\(address)/a.ts", folder, lines)
        }
    }

    /// Runs `segue link` during an operation with the lines that it prints.
    private static func running(
        _ options: [String],
        lines count: Int,
        _ work: ([String]) async throws -> Void
    ) async throws {
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                .name("timeout"),
                arguments: Arguments(["600", Program.path, "link"] + options),
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                var iterator = execution.standardOutput.strings().makeAsyncIterator()
                var lines: [String] = []
                while lines.count < count { lines.append(try #require(await iterator.next())) }
                defer { kill(execution.processIdentifier.value, SIGINT) }
                try await work(lines)
            }
        }
        #expect(ended.terminationStatus == .exited(0))
    }

    private static func network(_ extra: String) -> String {
        """
        name: test
        down: { rate: 100 Mbit/s, delay: 1 ms }
        up: { rate: 100 Mbit/s, delay: 1 ms }
        \(extra)
        """
    }

    /// Fetches with curl.
    private static func curl(_ url: String, _ folder: TestFolder, _ options: String...) async throws -> (
        code: Int32, status: String, bytes: [UInt8]
    ) {
        let file = folder.file("got")
        try? FileManager.default.removeItem(atPath: file)
        let outcome = try await Program.run("curl", ["-s", "-o", file, "-w", "%{http_code}"] + options + [url])
        return (outcome.status, outcome.output, Array((try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()))
    }

    @Test func `forwards everything unchanged`() async throws {
        for network in [Self.network(""), "name: open\ndown: {}\nup: {}\n"] {
            try await Self.linking(network) { url, folder, lines in
                #expect(lines[0].contains(" over "))
                let (code, status, bytes) = try await Self.curl(url, folder)
                #expect(code == 0 && status == "200" && bytes == Self.content)
            }
        }
    }

    /// A fault, the exit code of curl, the status, and the number of intact bytes.
    @Test(arguments: [
        ("status: 503", 0, "503", 0), ("reset: 100000 bytes", 56, "200", 100_000),
        ("truncate: 100000 bytes", 18, "200", 100_000), ("wrong-length: +1000 bytes", 18, "200", 300_000),
        ("wrong-length: -1000 bytes", 0, "200", 299_000), ("stall: 60 s, after: 50000 bytes", 28, "200", 50_000),
        ("slow-close: 0.2 s", 0, "200", 300_000), ("slice: 100000 bytes, pause: 50 ms", 0, "200", 300_000),
        ("limit: 100000 bytes", 18, "200", 99_900), ("corrupt: 3 bytes, after: 1000 bytes", 0, "200", 1000),
    ])
    func `shows curl each fault as what it is`(fault: String, code: Int32, status: String, same: Int) async throws {
        try await Self.linking(Self.network("faults: [{ \(fault) }]")) { url, folder, _ in
            let got = try await Self.curl(url, folder, "--max-time", fault.hasPrefix("stall") ? "8" : "60")
            #expect(got.code == code && got.status == status)
            let agreeing = zip(got.bytes, Self.content).prefix { $0 == $1 }.count
            #expect(agreeing >= same && agreeing <= same + 100)
        }
    }

    @Test func `a portal answers with a redirect for a while`() async throws {
        try await Self.linking(Self.network("schedule: [{ at: 0 s, portal: 1000 s }]")) { url, folder, _ in
            let got = try await Self.curl(url, folder)
            #expect(got.status == "302")
        }
    }

    @Test func `a handover kills connections, an outage does not`() async throws {
        let slow = "name: t\ndown: { rate: 2 Mbit/s }\nup: { rate: 2 Mbit/s }\n"
        let log = try TestFolder()
        let options = ["--log", log.file("log.jsonl")]
        try await Self.linking(slow + "schedule: [{ at: 0.5 s, handover: 0.1 s, every: 0.7 s }]", options) {
            url,
            folder,
            _ in
            let got = try await Self.curl(url, folder)
            // The reset occurs while curl receives, or, with an early handover, while it connects or sends.
            #expect([7, 55, 56].contains(got.code), "curl ended with \(got.code)")
            #expect(got.bytes.count < Self.size)
        }
        #expect(try String(contentsOfFile: log.file("log.jsonl"), encoding: .utf8).contains("another address now"))
        try await Self.linking(slow + "schedule: [{ at: 0.3 s, outage: 0.5 s, every: 0.9 s }]") { url, folder, _ in
            let got = try await Self.curl(url, folder)
            #expect(got.code == 0 && got.bytes == Self.content)
        }
    }

    @Test func `is shown and changed over HTTP, and logs events`() async throws {
        let log = try TestFolder()
        let options = ["--control", "127.0.0.1:0", "--log", log.file("log.jsonl")]
        try await Self.linking(Self.network(""), options) { url, folder, lines in
            let control = try #require(lines[1].firstMatch(of: /control at (\S+)/)).1
            let change = ["-s", "-X", "PUT", "-d", #"{"network":"wifi"}"#, "\(control)api/links/test"]
            #expect(try await Program.run("curl", change).output.contains(#""network":"wifi""#))
            let fault = ["-s", "-d", #"{"status":404,"count":1}"#, "\(control)api/links/test/faults"]
            #expect(try await Program.run("curl", fault).output.contains("answered with 404, once"))
            #expect(try await Self.curl(url, folder).status == "404")
            #expect(try await Self.curl(url, folder).bytes == Self.content)
        }
        let kinds = try String(contentsOfFile: log.file("log.jsonl"), encoding: .utf8)
        for kind in ["link.opened", "link.changed", "link.fault", "link.closed"] { #expect(kinds.contains(kind)) }
    }

    @Test func `runs several links from a file, also over IPv6`() async throws {
        let folder = try TestFolder()
        let (one, two) = ("{ listen: '127.0.0.1:0', to: '127.0.0.1:9' }", "{ listen: '[::1]:0', to: 'localhost:9' }")
        let text =
            "links:\n- { name: a, network: 3g, routes: [\(one), \(two)] }\n- { network: lte, receive-window: 64 KiB, listen: '127.0.0.1:0', to: '127.0.0.1:9' }\n"
        try text.write(toFile: folder.file("links.yaml"), atomically: true, encoding: .utf8)
        try await Self.running(["--config", folder.file("links.yaml")], lines: 3) { lines in
            #expect(lines[1].contains("listening on [::1]:") && lines[1].contains(" -> localhost:9 over 3g"))
            #expect(lines[2].contains(" over lte"))
        }
    }

    @Test(arguments: [
        (["--listen", "127.0.0.1:0", "--network", "3g"], "each --listen needs a --to"),
        (["--listen", "127.0.0.1:0", "--to", "127.0.0.1:1"], "--listen needs --network"),
        (["--listen", "127.0.0.1:0", "--to", "nowhere.invalid:1", "--network", "3g"], "nowhere.invalid:1: "),
        (["--listen", "127.0.0.1:0", "--to", "127.0.0.1:1", "--network", "3gg"], "did you mean 3g"),
        (["--list", "--receive-window", "64 KiB"], "--receive-window requires --listen, --proxy, or --estimate"),
        (["--estimate", "10", "--network", "3g", "--receive-window", "64"], "64"),
    ])
    func `reports errors in one line`(options: [String], words: String) async throws {
        let outcome = try await Program.run("timeout", ["600", Program.path, "link"] + options)
        #expect(outcome.status == 2 && outcome.errorLines.count == 1 && outcome.errors.contains(words), "\(outcome)")
    }
}
