import HTTPTypes
import SegueConcurrency
import Foundation
import NIOCore
import SegueFFmpeg
import SegueOrigin
import SegueOriginTestSupport
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueServer

/// A server with a certificate of its own.
private struct Secured {
    let folder: TestFolder
    let own: OwnCertificate

    init() throws {
        folder = try TestFolder()
        own = OwnCertificate(folder: folder.path, hosts: { ["localhost", "127.0.0.1"] }) { text, path in
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        try own.prepare(at: Date())
    }

    var authority: String { folder.file("authority.pem") }

    func serve(
        idleTimeLimit: Duration = .seconds(60),
        _ respond: @escaping OriginServer.Respond,
        _ body: (OriginServer.Address) async throws -> Void
    ) async throws {
        let certificate = ServerCertificate(own) { _ in }
        try await withServer(
            threads: 2,
            queueLimit: 8,
            idleTimeLimit: idleTimeLimit,
            certificate: certificate,
            respond,
            body
        )
    }

    /// Runs curl and returns its output and exit code.
    ///
    /// The thread that starts a process has to wait for it, otherwise its end is missed.
    static func curl(
        _ arguments: [String],
        _ started: AsyncStream<pid_t>.Continuation? = nil
    ) async throws -> (text: String, code: Int32) {
        try await blocking {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["curl", "--silent", "--noproxy", "*"] + arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            started?.yield(process.processIdentifier)
            let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return (text, process.terminationStatus)
        }.value
    }
}

@Suite struct `Serving over TLS` {
    private static let hello: OriginServer.Respond = { request, _ in
        let text = "\(request.method) \(request.target) \(request.headers[.hostField] ?? "-")"
        return OriginResponse(
            status: 200,
            headers: [.contentLength: "\(text.utf8.count)"],
            body: .bytes(Array(text.utf8))
        )
    }

    @Test(arguments: [("--http1.1", "1.1"), ("--http2", "2")])
    func `clients that trust the authority connect with each version of HTTP`(option: String, version: String)
        async throws
    {
        let secured = try Secured()
        try await secured.serve(Self.hello) { address in
            let url = "https://localhost:\(address.port)/a?b=c"
            let answer = try await Secured.curl([option, "--cacert", secured.authority, "-w", " %{http_version}", url])
            #expect(answer.text == "GET /a?b=c localhost:\(address.port) \(version)" && answer.code == 0)
            // 60: unknown certificate; 52 and 56: no data.
            #expect(try await Secured.curl([option, url]).code == 60)
            #expect(try await Secured.curl(["http://127.0.0.1:\(address.port)/"]).code != 0)
        }
    }

    @Test(arguments: [("1.0", 35), ("1.1", 35), ("1.2", 0), ("1.3", 0)] as [(String, Int32)])
    func `no version before 1 point 2 is accepted`(version: String, code: Int32) async throws {
        let secured = try Secured()
        try await secured.serve(Self.hello) { address in
            // OpenSSL itself offers the early versions at level 0 only.
            let versions = ["--tlsv\(version)", "--tls-max", version, "--ciphers", "DEFAULT:@SECLEVEL=0"]
            let url = "https://localhost:\(address.port)/"
            let found = try await Secured.curl(versions + ["--cacert", secured.authority, url]).code
            #expect(found == code)
        }
    }

    @Test(arguments: ["AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384"])
    func `no cipher suite without forward secrecy and authenticated encryption is accepted`(suite: String) async throws
    {
        let secured = try Secured()
        try await secured.serve(Self.hello) { address in
            let url = "https://localhost:\(address.port)/"
            let ciphers = ["--tls-max", "1.2", "--ciphers", suite, "--cacert", secured.authority, url]
            let found = try await Secured.curl(ciphers).code
            #expect(found == 35)
        }
    }

    @Test func `a closed stream cancels its work`() async throws {
        let secured = try Secured()
        let (begun, cancelled) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let respond: OriginServer.Respond = { _, cancellation in
            let gate = Gate()
            begun.continuation.yield()
            let registration = cancellation.whenCancelled { gate.open() }
            gate.wait()
            cancellation.forget(registration)
            cancelled.continuation.yield()
            return OriginFailure.cancelled.response
        }
        try await secured.serve(respond) { address in
            let url = "https://localhost:\(address.port)/"
            let started = AsyncStream.makeStream(of: pid_t.self)
            async let ended = Secured.curl(["--http2", "--cacert", secured.authority, url], started.continuation)
            for await _ in begun.stream { break }
            for await process in started.stream {
                kill(process, SIGKILL)
                break
            }
            for await _ in cancelled.stream { break }
            let code = try await ended.code
            #expect(code != 0)
        }
    }

    @Test func `a connection without a handshake is closed`() async throws {
        let secured = try Secured()
        try await secured.serve(idleTimeLimit: .milliseconds(200), Self.hello) { address in
            let silent = try await address.connection(sending: "")
            let half = try await address.connection(sending: "\u{16}\u{3}\u{1}")
            try await silent.closeFuture.get()
            try await half.closeFuture.get()
        }
    }
}

@Suite struct `The server's own certificate` {
    private let secured: Secured
    private let now = Date()
    private static let day: TimeInterval = 86_400

    init() throws { secured = try Secured() }

    private func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for name in ["authority.pem", "authority.key", "server.pem", "server.key"] {
            files[name] = try String(contentsOfFile: secured.folder.file(name), encoding: .utf8)
        }
        return files
    }

    private func changed(_ work: () throws -> Void) throws -> Set<String> {
        let before = try files()
        try work()
        return Set(try files().filter { before[$0.key] != $0.value }.keys)
    }

    @Test(arguments: [(0.0, 0), (366, 0), (368, 2), (3619, 2), (3621, 4)])
    func `is renewed a month before it expires, and so is the authority`(days: Double, files: Int) throws {
        let changed = try changed { try secured.own.prepare(at: now + days * Self.day) }
        #expect(changed == Set(["server.pem", "server.key", "authority.pem", "authority.key"].prefix(files)))
    }

    @Test func `is renewed for a new address by the same authority`() throws {
        let path = secured.folder.path
        let other = OwnCertificate(folder: path, hosts: { ["127.0.0.1", "192.168.2.7", "box.local"] }) { text, path in
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try changed { try other.prepare(at: now) } == ["server.pem", "server.key"])
        #expect(try other.files.names().hosts == ["box.local"])
        #expect(try changed { try other.prepare(at: now) } == [])
        #expect(other.fingerprint == secured.own.fingerprint && other.fingerprint?.count == 95)
    }

    @Test func `its authority vouches for no names but private ones and those that the machine had`() throws {
        func own(_ path: String, _ hosts: [String]) -> OwnCertificate {
            OwnCertificate(folder: path, hosts: { hosts }) { text, path in
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
        }
        let hosts = ["localhost", "attic", "attic.local", "tv.example.org", "10.1.2.3", "fd00::7", "203.0.113.9"]
        let folder = try TestFolder()
        #expect(try own(folder.path, hosts).prepare(at: now) == [])
        // Public names and addresses that are new are omitted; private ones are added.
        let foreign = [
            "example.org", "bank.example", "notlocal", "203.0.113.10", "2001:db8::1", "fec0::1", "172.32.0.1",
        ]
        let later = own(folder.path, hosts + foreign + ["172.31.0.1", "new.home.arpa", "fe80::9", "a.tv.example.org"])
        #expect(try later.prepare(at: now) == foreign)
        #expect(
            try later.files.names().hosts
                == ["localhost", "attic", "attic.local", "tv.example.org", "new.home.arpa", "a.tv.example.org"]
        )
        #expect(try later.prepare(at: now) == foreign)
    }

    @Test(arguments: ["server.pem", "server.key", "authority.pem", "authority.key"])
    func `is renewed if a file is damaged or missing`(name: String) throws {
        for damage in ["no certificate", nil] {
            if let damage {
                try damage.write(toFile: secured.folder.file(name), atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.removeItem(atPath: secured.folder.file(name))
            }
            try secured.own.prepare(at: now)
            _ = try secured.own.files.configuration()
        }
    }

    @Test func `an unusable file is named`() throws {
        let missing = CertificateFiles(certificate: secured.folder.file("none.pem"), key: secured.own.files.key)
        let failure = #expect(throws: OriginServerError.self) { try missing.configuration() }
        #expect(failure?.reason == .badFile && failure?.address == secured.folder.file("none.pem"))
        let foreign = CertificateFiles(certificate: secured.authority, key: secured.own.files.key)
        #expect(throws: OriginServerError.self) { try foreign.configuration() }
    }
}
