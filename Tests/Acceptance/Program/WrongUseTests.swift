import Foundation
import SegueTestSupport
import Testing

@Suite struct `Wrong use` {
    /// Arguments and the expected line on standard error.
    static let mistakes: [(arguments: [String], says: [String])] = [
        (["serve", "/no/such/folder"], ["/no/such/folder", "no such file or folder"]),
        (["serve", "/etc/hostname"], ["/etc/hostname", "not a folder"]),
        (["serve"], ["missing expected argument"]),
        (["serve", "/", "--listen", "nonsense"], ["nonsense", "--listen", "it has no port; write nonsense:8080"]),
        (
            ["serve", "/", "--listen", "8080"],
            ["--listen", "it has no host; 127.0.0.1:8080 is for this machine only"]
        ),
        (["serve", "/", "--listen", ":8080"], ["--listen", "it has no host; 127.0.0.1:8080"]),
        (
            ["serve", "/", "--listen", "localhost:65536"],
            ["--listen", "the port must be a whole number from 0 to 65535"]
        ),
        (["serve", "/", "--listen", "::1:8080"], ["--listen", "in brackets, as in [::1]:8080"]),
        (
            ["link", "--listen", "[::1]:0", "--to", "[::1]", "--network", "3g"],
            ["--to", "it has no port; write [::1]:8080"]
        ),
        (
            ["link", "--listen", "x:0", "--to", "x:1", "--network", "3g", "--control", "8082"],
            ["--control", "no host"]
        ),
        (["link", "--list", "--allow-host", "x"], ["--allow-host", "--control"]),
        (["regress", "/no/such/folder"], ["/no/such/folder", "No such file"]),
        (["regress", "/etc/hostname", "--netwrok", "3g"], ["--netwrok", "--network"]),
        (["regress", "/etc/hostname", "--network", "3gg"], ["3gg", "did you mean 3g?"]),
        (["regress", "/etc/hostname", "--platform", "ios4.3"], ["ios4.3", "did you mean ios-4.3?"]),
        (["regress", "/etc/hostname", "--scenario", "play-trough"], ["play-trough", "did you mean play-through?"]),
        (["regress", "/etc/hostname", "--app", "switch-if-ready"], ["switch-if-ready", "switch-when-ready"]),
        (["regress", "/etc/hostname", "--patience", "1e21"], ["--patience", "1000000"]),
        (["regress", "/etc/hostname", "--jobs", "0"], ["--jobs", "1"]),
        (
            ["regress", "/etc/hostname", "--json", "/no/such/folder/x.json"],
            ["/no/such/folder/x.json", "No such file"]
        ),
        (["regress", "/etc/hostname", "--config", "/no/such.yaml"], ["/no/such.yaml", "cannot be read"]),
        (["play", "film.mp4"], ["film.mp4", "no such file", "http://"]),
        (["play", "/etc"], ["/etc", "is a folder", "segue serve"]),
        (["play", "rtmp://h/a"], ["rtmp://h/a", "not an http or https URL and not a file"]),
        (["play", "http://127.0.0.1/", "--wav", "out.mp3"], ["out.mp3", ".wav"]),
        (["play", "http://127.0.0.1/", "--virtual", "--network", "gprs"], ["did you mean android-gprs?"]),
        (["play", "http://127.0.0.1/", "--platform", "ios"], ["did you mean one of ios-10, ", "ios-6?"]),
        (["play", "http://127.0.0.1/", "--scenario", "background"], ["did you mean background-and-return?"]),
        (["play", "http://127.0.0.1/", "--network", "3g"], ["--network", "--virtual"]),
        (["probe", "/no/such/file"], ["/no/such/file", "No such file"]),
        (["validate", "/no/such/file.m3u8"], ["/no/such/file.m3u8", "No such file"]),
        (["validate", "ftp://h/a.m3u8"], ["ftp://h/a.m3u8", "not an http or https URL"]),
        (["validate", "/etc/hostname", "--waive", "nonsense"], ["nonsense", "no such rule"]),
        (["validate", "/etc/hostname", "--waive", "ts-packet"], ["ts-packet", "did you mean ts-packets?"]),
        (["validate", "/etc/hostname", "--patience", "0"], ["--patience", "above 0"]),
        (["regres", "/etc"], ["regres", "did you mean regress?"]),
        (["link"], ["--list", "--estimate"]),
        (["link", "--estimate", "10"], ["--network"]),
        (["link", "--estimate", "10", "--network", "3g", "--parallel", "0"], ["--parallel", "1"]),
        (["link", "--estimate", "10", "--network", "3g", "--unread", "1001"], ["--unread", "1000"]),
        (["link", "--netem"], ["--network"]),
        (["link", "--proxy", "127.0.0.1:0"], ["--proxy", "--network"]),
        (["link", "--list", "--proxy-host", "x"], ["--proxy-host", "--proxy"]),
        (["link", "--list", "--", "true"], ["--netem"]),
        (["link", "--estimate", "ten", "--network", "3g"], ["ten", "number of bytes"]),
        (["link", "--estimate", "10", "--network", "3gg"], ["3gg", "did you mean 3g?"]),
        (["link", "--estimate", "10", "--network", "3g", "--connection", "warm"], ["warm", "idle:SECONDS"]),
        (["link", "--estimate", "10", "--network", "3g", "--seeds", "0"], ["--seeds", "1"]),
        (["link", "--draw", "3gg"], ["3gg", "did you mean 3g?"]),
        (["link", "--list", "--output", "x.svg"], ["--output", "--draw"]),
        (["link", "--draw", "3g", "--output", "/no/such/folder/x.svg"], ["/no/such/folder/x.svg", "No such file"]),
        (["link", "--estimate", "10", "--network", "3g", "--tls", "1.1"], ["1.1", "1.2", "1.3"]),
        (["link", "--estimate", "10", "--network", "/no/such.yaml"], ["/no/such.yaml", "no such network file"]),
        (["link", "--estimate", "10", "--network", "/etc/hostname/x.yaml"], ["x.yaml", "no such network file"]),
        (["testmedia", "/proc/x"], ["/proc/x", "cannot create the folder"]),
    ]

    @Test(arguments: mistakes.indices)
    func `exits with 2 and one line with the reason`(index: Int) async throws {
        let (arguments, says) = Self.mistakes[index]
        let outcome = try await Program.run("timeout", ["600", Program.path] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.hasPrefix("segue: "))
        for words in says { #expect(outcome.errors.contains(words)) }
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: ["serve", "regress"])
    func `an empty folder has no media`(command: String) async throws {
        let folder = try TestFolder()
        let outcome = try await Program.run(command, folder.path)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(folder.path))
    }

    @Test func `a port in use is reported`() async throws {
        let folder = try await AcceptanceMedia.folder
        let server = try LoopbackServer { _ in [.close] }
        defer { server.stop() }
        let outcome = try await Program.run("serve", folder.path, "--listen", "127.0.0.1:\(server.port)")
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("127.0.0.1:\(server.port): the port is in use"))
    }

    @Test(arguments: ["serve", "play", "regress", "validate", "probe", "testmedia"])
    func `help shows an example`(command: String) async throws {
        let outcome = try await Program.run(command, "--help")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Example"))
        #expect(outcome.output.contains("  segue \(command) "))
        #expect(outcome.errors.isEmpty)
    }

    @Test func `options may be in a file, which the command line overrides`() async throws {
        let folder = try TestFolder()
        let config = try folder.write(Array("network: 3gg\nquiet: true\n".utf8), to: "options.yaml")
        let film = try await AcceptanceMedia.folder.file("song.m4a")
        let wrong = try await Program.run("regress", film, "--config", config)
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("3gg is unknown"))
        let right = try await Program.run("regress", film, "--config", config, "--network", "lan")
        #expect(right.status == 0)
        #expect(right.output.isEmpty)
    }

    @Test func `a list in a file repeats an option that may be repeated`()
        async throws
    {
        let folder = try TestFolder()
        let config = try folder.write(Array("background: [http://h/a, http://h/b]\n".utf8), to: "options.yaml")
        let outcome = try await Program.run("play", "http://127.0.0.1:1/", "--config", config)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("there are more --background options than URLs"))
    }
}
