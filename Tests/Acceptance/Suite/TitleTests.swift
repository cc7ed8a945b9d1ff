import Foundation
import SegueTestSupport
import Testing

@Suite struct `Titles of a server` {
    /// A title list of a server's items, run as a user does.
    private static func regress(
        _ list: String,
        _ arguments: String...
    ) async throws -> (outcome: Program.Outcome, report: String) {
        let folder = try TestFolder()
        let titles = try folder.write(Array(list.utf8), to: "titles.yaml")
        let (json, all) = (folder.file("report.json"), ["240", Program.path, "regress", titles])
        let outcome = try await Program.run("timeout", all + arguments + ["--json", json])
        return (outcome, (try? String(contentsOfFile: json, encoding: .utf8)) ?? "")
    }

    @Test func `a list plays the titles of a server, from any working directory`() async throws {
        try await Program.serving(try await AcceptanceMedia.folder.path) { served in
            let film = try await served.item("film")
            let (outcome, report) = try await Self.regress(
                """
                variables: { base: "http://nowhere.invalid/", unused: x }
                base: ${base}
                titles: [{ name: the film, url: "\(film)/index.m3u8", tags: film }]
                """,
                "--set",
                "base=\(served.address)",
                "--scenario",
                "background-and-return",
                "--platform",
                "ios-4.3",
                "--network",
                "wifi,3g",
                "--app",
                "switch-if-was-playing"
            )
            #expect(outcome.status == 1 && outcome.output.contains("2 cases: 1 passed, 1 failed"))
            #expect(outcome.output.contains("its tracks are not known yet") && report.contains("\"the film\""))
        }
    }

    @Test func `the delivered content is compared with a title's source`() async throws {
        let media = try await AcceptanceMedia.folder
        try await Program.serving(media.path) { served in
            let film = try await served.item("film")
            let (outcome, report) = try await Self.regress(
                """
                titles:
                  - { name: right, url: "\(film)/index.m3u8", source: "\(media.file("film.mp4"))" }
                  - { name: wrong, url: "\(film)/index.m3u8", source: "\(media.file("song.m4a"))" }
                """,
                "--scenario",
                "play-through"
            )
            #expect(outcome.status == 1 && outcome.output.contains("2 cases: 1 passed, 1 failed"), "\(outcome)")
            #expect(report.contains("content."))
        }
    }

    @Test func `a list's server runs for its titles, and is stopped afterwards`() async throws {
        let media = try await AcceptanceMedia.folder
        let folder = try TestFolder()
        let port = try FreePort.number()
        let listen = "127.0.0.1:\(port)"
        let (outcome, report) = try await Self.regress(
            """
            base: http://\(listen)/
            server: { start: "exec '\(Program.path)' serve '\(media.path)' --listen \(listen)", ready: health, patience: 200 }
            titles: [{ name: not there, url: items/nix/index.m3u8 }]
            """
        )
        #expect(outcome.status == 1 && report.contains("status 404"), "\(outcome)")
        let (after, _) = try await Self.regress(
            "titles: [{ name: gone, url: \"http://\(listen)/items/nix/index.m3u8\" }]"
        )
        #expect(after.output.contains("no-server") && after.status != 0)
        withExtendedLifetime(folder) {}
    }

    @Test func `a server that does not start is one line with its last output`() async throws {
        let (outcome, _) = try await Self.regress(
            """
            server: { start: "echo no such disk >&2; exit 3", ready: "http://127.0.0.1:9/", patience: 20 }
            titles: [{ name: a, url: "http://127.0.0.1:9/a.m3u8" }]
            """
        )
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.hasPrefix("segue: the titles' server: 'echo no such disk >&2; exit 3' failed: no such disk")
        )
    }
}

/// A local port on which nothing listens.
private enum FreePort {
    static func number() throws -> UInt16 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) == 0 ? getsockname(socket, address, &size) : -1
            }
        }
        guard code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        return UInt16(bigEndian: address.sin_port)
    }
}
