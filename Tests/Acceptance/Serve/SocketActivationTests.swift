import Foundation
import SegueTestSupport
import Subprocess
import SystemPackage
import Testing

@Suite struct `Sockets of a service manager` {
    /// Opens sockets from descriptor 3 and becomes the program, like a service manager.
    ///
    /// They listen on free loopback ports, unless `kind` differs. Each gets a request before the program runs;
    /// the script prints the responses and the ports.
    private static let starter = """
        import os, socket, sys
        kind, count, process = sys.argv[1], int(sys.argv[2]), sys.argv[3]
        made, ports = [], []
        for number in range(count):
            if kind == "file":
                made.append(os.open("/dev/null", os.O_RDONLY))
                continue
            if kind == "unix":
                one = socket.socket(socket.AF_UNIX)
                one.bind("\\0segue-test-%d" % os.getpid())
                one.listen(8)
            else:
                stream = socket.SOCK_DGRAM if kind == "datagram" else socket.SOCK_STREAM
                one = socket.socket(socket.AF_INET, stream)
                one.bind(("127.0.0.1", 0))
                if kind == "listening": one.listen(8)
                ports.append(one.getsockname()[1])
            made.append(one.detach())
        if kind == "listening":
            for port in ports:
                early = socket.create_connection(("127.0.0.1", port))
                early.sendall(b"GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
                if os.fork() == 0:
                    for one in made: os.close(one)
                    answer = b""
                    while True:
                        read = early.recv(65536)
                        if not read: break
                        answer += read
                    os.write(1, b"early: " + answer.split(b"\\r\\n")[0] + b"\\n")
                    os._exit(0)
                early.close()
        print("ports:", *ports, flush=True)
        if kind != "closed":
            high = [os.dup2(one, 100 + number) for number, one in enumerate(made)]
            for number, one in enumerate(high): os.dup2(one, 3 + number)
        os.environ["LISTEN_FDS"] = str(count)
        os.environ["LISTEN_PID"] = str(os.getpid()) if process == "own" else process
        os.environ["LISTEN_FDNAMES"] = ":".join("s%d" % number for number in range(count))
        os.execv(sys.argv[4], sys.argv[4:])
        """

    private static func arguments(_ kind: String, _ count: Int, for process: String = "own") async throws -> [String] {
        let media = try await AcceptanceMedia.folder.path
        return [
            "-c", starter, kind, "\(count)", process, Program.path, "serve", media, "--listen", "127.0.0.1:0",
            "--index-cache", "none", "--no-announce",
        ]
    }

    @Test(arguments: [1, 3])
    func `are all served, including requests from before the start`(count: Int) async throws {
        let arguments = try await Self.arguments("listening", count)
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                .name("python3"),
                arguments: Arguments(arguments),
                environment: Program.environment,
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                defer { kill(execution.processIdentifier.value, SIGINT) }
                var lines: [String] = []
                var ports: [Substring] = []
                for try await line in execution.standardOutput.strings() {
                    lines.append(line.trimmingCharacters(in: .newlines))
                    if line.hasPrefix("ports: ") { ports = line.split(whereSeparator: \.isWhitespace).dropFirst() + [] }
                    if lines.count == count + 2 { break }
                }
                #expect(lines.count { $0 == "early: HTTP/1.1 200 OK" } == count, "\(lines)")
                let address = try #require(lines.first { $0.hasPrefix("serving ") }?.split(separator: " ").last)
                #expect(ports.count == count && address == "http://127.0.0.1:\(ports.first ?? "")/")
                for port in ports {
                    let url = "http://127.0.0.1:\(port)/api/items"
                    let head = try await Program.run("curl", ["-sI", url]).output.split(whereSeparator: \.isNewline)
                    #expect(head.first == "HTTP/1.1 200 OK" && head.contains("Server: segue"), "\(head)")
                    let date = /Date: [A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} 20[0-9]{2} [0-9:]{8} GMT/
                    #expect(head.contains { $0.wholeMatch(of: date) != nil }, "\(head)")
                }
            }
        }
        #expect(ended.terminationStatus == .exited(0))
    }

    @Test(arguments: [
        ("bound", "LISTEN_FDS: descriptor 3 (s0) is not a listening stream socket; use a socket unit"),
        ("datagram", "LISTEN_FDS: descriptor 3 (s0) is not a listening stream socket; use a socket unit"),
        ("file", "LISTEN_FDS: descriptor 3 (s0) is not a listening stream socket; use a socket unit"),
        ("unix", "LISTEN_FDS: descriptor 3 (s0) has no IPv4 or IPv6 address; use a socket unit"),
    ])
    func `are refused in one line if unusable`(kind: String, line: String) async throws {
        let outcome = try await Program.run("timeout", ["120", "python3"] + Self.arguments(kind, 1))
        #expect(outcome.status == 2 && outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("segue: \(line)"), "\(outcome.errors)")
    }

    @Test func `are ignored if they are meant for another process`() async throws {
        let arguments = try await Self.arguments("bound", 1, for: "1")
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                .name("python3"),
                arguments: Arguments(arguments),
                environment: Program.environment,
                input: .none,
                output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                defer { kill(execution.processIdentifier.value, SIGINT) }
                var notice = ""
                for try await line in execution.standardOutput.strings() {
                    if line.contains("LISTEN_PID") { notice = line }
                    guard line.hasPrefix("serving ") else { continue }
                    #expect(try await ServedFolder.status("\(ServedFolder(line: line).address)health") == "200")
                    break
                }
                #expect(
                    notice.hasPrefix(
                        "segue: LISTEN_PID: ignoring the sockets, which are for process 1, not for this process "
                    ),
                    "\(notice)"
                )
            }
        }
        #expect(ended.terminationStatus == .exited(0))
    }
}
