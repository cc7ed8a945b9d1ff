import Foundation
import SegueTestSupport
import Subprocess
import SystemPackage
import Testing

@Suite struct `Reloading a server` {
    /// A server with a configuration file, and its output.
    private struct Running {
        let folder: TestFolder
        let process: pid_t
        let served: ServedFolder
        var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

        /// Replaces the configuration file and reloads the server.
        ///
        /// - Returns: The given number of lines that the server prints then.
        mutating func reload(_ words: String? = nil, lines count: Int = 1) async throws -> [String] {
            if let words { _ = try folder.write(Array(words.utf8), to: "serve.yaml") }
            kill(process, SIGHUP)
            var said: [String] = []
            while said.count < count, let line = try await lines.next() { said.append(line) }
            return said
        }
    }

    /// Runs a server with a configuration file during an operation.
    private static func serving(_ words: String, in folder: TestFolder, _ work: (inout Running) async throws -> Void)
        async throws
    {
        let config = try folder.write(Array(words.utf8), to: "serve.yaml")
        let ended = try await ProgramTurns.take {
            try await Subprocess.run(
                // Not through `timeout`, which forwards only one signal of each kind.
                .path(FilePath(Program.path)),
                arguments: ["serve", "--config", config, "--quiet"],
                environment: Program.environment,
                input: .none,
                output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                let server = execution.processIdentifier.value
                defer { kill(server, SIGINT) }
                var output = execution.standardOutput.strings().makeAsyncIterator()
                var line = try #require(await output.next())
                while !line.hasPrefix("serving ") { line = try #require(await output.next()) }
                let served = ServedFolder(line: line)
                var running = Running(folder: folder, process: server, served: served, lines: output)
                try await work(&running)
            }
        }
        #expect(ended.terminationStatus == .exited(0))
    }

    private static func words(_ media: String, _ more: String = "") -> String {
        "folders: [\(media)]\nlisten: 127.0.0.1:0\nindex-cache: none\nno-announce: true\n" + more
    }

    @Test func `reports errors and options that need a restart, and continues`() async throws {
        let media = try await AcceptanceMedia.folder.path
        try await Self.serving(Self.words(media), in: TestFolder()) { running in
            let wrong = try await running.reload(Self.words(media, "lisen: h:1\n"))[0]
            #expect(
                wrong.contains(
                    "serve.yaml:5: lisen: not an option of segue serve; did you mean listen? Expected one of"
                )
            )
            #expect(wrong.contains("the server continues unchanged"), "\(wrong)")
            #expect(try await ServedFolder.status("\(running.served.address)health") == "200")

            let changed = try await running.reload(Self.words(media, "workers: 1\n"))
            #expect(changed == ["segue: workers: changed in the configuration; in force after a restart"])
            #expect(try await ServedFolder.status("\(running.served.address)health") == "200")
        }
    }

    @Test(arguments: [0, 1])
    func `applies changes at once, while a download continues`(workers: Int)
        async throws
    {
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let (folder, media, further) = (try TestFolder(), try TestFolder(), try TestFolder())
        try FileManager.default.copyItem(atPath: film, toPath: further.file("added.mp4"))
        try FileManager.default.copyItem(atPath: film, toPath: media.file("long.mp4"))
        // More than the system buffers, as a sparse file.
        try #require(truncate(media.file("long.mp4"), 64 << 20) == 0)
        let begun = Self.words(media.path, "workers: \(workers)\n")
        try await Self.serving(begun, in: folder) { running in
            let address = running.served.address
            let foreign = [
                "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: media.example", "\(address)health",
            ]
            let page = ["-si", "-H", "Origin: https://player.example", "\(address)api/items"]
            #expect(try await Program.run("curl", foreign).output == "403")
            // This response has started, and is read to its end after everything else.
            let port = try #require(address.firstMatch(of: /:([0-9]+)\//)).1
            let download = try Download(
                port: UInt16(port) ?? 0,
                "/items/\(try await running.served.itemID("long"))/original"
            )

            let all = "allow-host: [media.example]\nallow-origin: ['https://player.example']\naddress-rate: 900\n"
            let more = begun.replacing("[\(media.path)]", with: "[\(media.path), \(further.path)]") + all
            #expect(
                try await running.reload(more) == [
                    "segue: address-rate, allow-host, allow-origin, folders: changed in the configuration; "
                        + "in force from now on"
                ]
            )
            #expect(try await Program.run("curl", foreign).output == "200")
            let answer = try await Program.run("curl", page).output
            #expect(answer.contains(/access-control-allow-origin: https:\/\/player.example/.ignoresCase()))
            let added = try await running.served.item("added")
            #expect(try await ServedFolder.status("\(added)/index.m3u8") == "200")

            // A missing folder or an invalid host does not affect the rest either.
            let missing = more.replacing(further.path, with: "/nowhere/at/all").replacing(
                "media.example",
                with: "b.example"
            )
            let wrong = try await running.reload(missing)[0]
            #expect(
                wrong.contains("/nowhere/at/all: no such file or folder; the server continues unchanged"),
                "\(wrong)"
            )
            #expect(try await Program.run("curl", foreign).output == "200")
            #expect(try await ServedFolder.status("\(added)/index.m3u8") == "200")

            #expect(try await running.reload(begun).count == 1)
            #expect(try await Program.run("curl", foreign).output == "403")
            #expect(try await ServedFolder.status("\(added)/index.m3u8") == "404")
            let (status, expected, read) = try download.finish()
            #expect(status == 200 && read == 64 << 20 && expected == 64 << 20)
        }
    }

    @Test func `continues its log in a new file`() async throws {
        let media = try await AcceptanceMedia.folder.path
        let folder = try TestFolder()
        let log = folder.file("requests.jsonl")
        try await Self.serving(Self.words(media, "log: \(log)\n"), in: folder) { running in
            let address = running.served.address
            _ = try await ServedFolder.status("\(address)first")
            try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
            // The message about an invalid file comes after the log is reopened.
            _ = try await running.reload("folders: []\n")
            _ = try await ServedFolder.status("\(address)second")
            let (old, new) = (
                try String(contentsOfFile: log + ".1", encoding: .utf8),
                try String(contentsOfFile: log, encoding: .utf8)
            )
            #expect(old.contains("/first") && !old.contains("/second"), "\(old)")
            #expect(new.contains("/second") && !new.contains("/first") && new.hasPrefix("{\"t\":"), "\(new)")
        }
    }

    @Test func `uses a changed certificate`() async throws {
        let media = try await AcceptanceMedia.folder.path
        let folder = try TestFolder()
        func make(_ name: String) async throws {
            let request = [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            ]
            let files = ["-keyout", folder.file("key.pem"), "-out", folder.file("cert.pem"), "-subj", "/CN=\(name)"]
            let names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
            let made = try await Program.run("openssl", request + files + names)
            #expect(made.status == 0, "\(made.errors)")
        }
        try await make("before")
        let tls = "tls: '\(folder.file("cert.pem")),\(folder.file("key.pem"))'\n"
        try await Self.serving(Self.words(media, tls), in: folder) { running in
            let port = try #require(running.served.address.firstMatch(of: /:([0-9]+)\//)).1
            func subject() async throws -> String {
                let shown =
                    "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -subject"
                return try await Program.run("bash", ["-c", shown]).output
            }
            #expect(try await subject().contains("CN = before"))
            try await make("after")
            let said = try await running.reload()[0]
            #expect(said.hasSuffix("cert.pem: the certificate has changed; new connections use it"), "\(said)")
            #expect(try await subject().contains("CN = after"))
            try Data("no certificate".utf8).write(to: URL(fileURLWithPath: folder.file("cert.pem")))
            let wrong = try await running.reload()[0]
            #expect(
                wrong.contains("cert.pem") && wrong.contains("the server continues with the former certificate"),
                "\(wrong)"
            )
            #expect(try await subject().contains("CN = after"))
        }
    }

    @Test func `adds new host names to its own certificate`() async throws {
        let media = try await AcceptanceMedia.folder.path
        let begun = Self.words(media, "tls: self\n")
        try await Self.serving(begun, in: TestFolder()) { running in
            let port = try #require(running.served.address.firstMatch(of: /:([0-9]+)\//)).1
            let names =
                "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null "
                + "| openssl x509 -noout -ext subjectAltName"
            #expect(try await !Program.run("bash", ["-c", names]).output.contains("films.lan"))
            let said = try await running.reload(begun + "allow-host: [films.lan]\n", lines: 2)
            #expect(said[0].hasPrefix("segue: allow-host: changed in the configuration"), "\(said)")
            #expect(said[1].hasSuffix("server.pem: the certificate has changed; new connections use it"), "\(said)")
            let shown = try await Program.run("bash", ["-c", names]).output
            #expect(shown.contains("DNS:films.lan") && shown.contains("DNS:localhost"), "\(shown)")
            // The client continues to use the host, which is no longer served.
            let foreign = [
                "-sk", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: films.lan",
                "https://127.0.0.1:\(port)/health",
            ]
            #expect(try await Program.run("curl", foreign).output == "200")
            #expect(try await running.reload(begun).count == 1)
            #expect(try await Program.run("curl", foreign).output == "403")
            // Its authority vouches for private names only, and for those of the machine when it was created.
            let lacking = try await running.reload(begun + "allow-host: [media.example]\n", lines: 2)
            #expect(lacking[1].hasPrefix("segue: the certificate lacks media.example, "), "\(lacking)")
            #expect(try await !Program.run("bash", ["-c", names]).output.contains("media.example"))
        }
    }

    @Test func `serves an empty folder if allowed`() async throws {
        let folder = try TestFolder()
        let code = try await Program.serving(folder.path, with: ["--allow-empty"]) { served in
            #expect(served.line.contains("serving 0 items at "))
            let items = try await ServedFolder.status("\(served.address)api/items")
            #expect(items == "200")
        }
        #expect(code == 0)
    }
}

/// A download whose remainder is read on demand.
private struct Download {
    private let descriptor: Int32
    private var head: [UInt8] = []

    /// Sends the request, and reads the first bytes of the response.
    init(port: UInt16, _ target: String) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (socket, peer) = (descriptor, address)
        let isConnected = withUnsafePointer(to: peer) { peer in
            peer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) == 0 }
        }
        let question = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard isConnected, write(socket, question, question.count) == question.count else { throw POSIXError(.EIO) }
        head = try Self.read(socket, 64)
    }

    /// Reads the rest.
    ///
    /// - Returns: The status, the announced length, and the received length.
    func finish() throws -> (status: Int, expected: Int, read: Int) {
        defer { close(descriptor) }
        var all = head
        while true {
            let more = try Self.read(descriptor, 1 << 16)
            if more.isEmpty { break }
            all += more
        }
        let end = try #require(all.firstRange(of: Array("\r\n\r\n".utf8)))
        let text = String(decoding: all[..<end.lowerBound], as: UTF8.self)
        let status = Int(text.split(separator: " ")[1]) ?? 0
        let length = text.firstMatch(of: /content-length: ([0-9]+)/.ignoresCase()).flatMap { Int($0.1) } ?? -1
        return (status, length, all.count - end.upperBound)
    }

    private static func read(_ descriptor: Int32, _ most: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = Foundation.read(descriptor, &bytes, most)
        guard count >= 0 else { throw POSIXError(.EIO) }
        return Array(bytes.prefix(count))
    }
}
