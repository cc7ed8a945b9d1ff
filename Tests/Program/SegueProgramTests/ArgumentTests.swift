import ArgumentParser
import Foundation
import SegueData
import SegueTestSupport
import Testing

@testable import segue

@Suite struct `Arguments` {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0), ("box.local:65535", "box.local", 65535),
    ])
    func `an address to listen on has a host and a port`(text: String, host: String, port: Int) throws {
        let address = try ListenAddress(argument: text)
        #expect(address.host == host && address.port == port)
    }

    @Test(arguments: [
        ("8080", "it has no host; 127.0.0.1:8080"), (":80", "it has no host; 127.0.0.1:80"),
        ("box", "it has no port; write box:8080"), ("box:", "the port must be"), ("box:65536", "the port must be"),
        ("box:-1", "the port must be"), ("::1:80", "must be in brackets"), ("[::1]", "it has no port"),
        ("[]:80", "it has no host"), ("box:99999999999999999999", "the port must be"), ("", "it has no port"),
    ])
    func `an error for an incomplete address names the missing part`(text: String, words: String) throws {
        let error = try #require(throws: ValidationError.self) { try ListenAddress(argument: text) }
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test func `lists are separated by commas`() {
        #expect(NameList(argument: "a,b")?.names == ["a", "b"])
        #expect(NameList(argument: ",") == nil)
    }
}

@Suite struct `A configuration file` {
    private func expanded(_ yaml: String, _ arguments: [String]) throws -> [String] {
        let folder = try TestFolder()
        let path = try folder.write(Array(yaml.utf8), to: "c.yaml")
        return try Configuration.expanded(arguments + ["--config", path]).filter { $0 != "--config" && $0 != path }
    }

    @Test func `has options by name, which the command line overrides`() throws {
        let yaml = "network: [3g, wifi]\nquiet: true\nseed: 5\nhtml: false\n"
        #expect(
            try expanded(yaml, ["regress", "media", "--seed=1"])
                == ["regress", "--network", "3g,wifi", "--quiet", "media", "--seed=1"]
        )
    }

    @Test func `repeats a repeatable option for each value`() throws {
        #expect(
            try expanded("background: [a, b]\n", ["play", "x", "y"])
                == ["play", "--background", "a", "--background", "b", "x", "y"]
        )
    }

    @Test func `of a server also names its folders`() throws {
        #expect(
            try expanded("listen: h:1\nfolders: [/a, /b c]\n", ["serve", "/d"])
                == ["serve", "/a", "/b c", "--listen", "h:1", "/d"]
        )
    }

    @Test(arguments: ["folders: [--open]\n", "folders: ['']\n", "folders: {a: b}\n"])
    func `with an invalid folder is refused with its line`(yaml: String) throws {
        let error = try #require(throws: HarnessError.self) { try expanded("quiet: true\n" + yaml, ["serve"]) }
        #expect(error.description.contains("c.yaml:2: folders: "), "\(error)")
    }

    @Test(arguments: [
        (["serve", "/a", "--quiet"], ["serve", "/a", "--quiet"], []),
        (["serve", "/a", "--listen", "h:1"], ["serve", "/a", "--listen", "h:2", "--quiet"], ["listen", "quiet"]),
        (["serve", "/a", "--log=x"], ["serve", "/b", "--log", "x"], ["folders"]),
        (["serve", "--allow-host", "a", "--allow-host", "b"], ["serve", "--allow-host", "b"], ["allow-host"]),
    ])
    func `that has changed lists the changed options`(old: [String], new: [String], names: [String]) {
        #expect(Configuration.changes(from: old, to: new) == names)
    }

    @Test(arguments: [
        ("nework: 3g\n", "did you mean network?"), ("seed: 1\nhelp: true\n", "help: not an option of segue regress"),
    ])
    func `with an unknown option is refused with its line`(yaml: String, words: String) throws {
        let error = try #require(throws: HarnessError.self) { try expanded(yaml, ["regress", "media"]) }
        #expect(error.description.contains(words) && error.description.contains("segue regress"), "\(error)")
        #expect(error.line == yaml.split(separator: "\n").count)
    }

    @Test func `is ignored after two hyphens, and without a command`() throws {
        #expect(try Configuration.expanded(["play", "--", "--config", "x"]) == ["play", "--", "--config", "x"])
        #expect(try Configuration.expanded(["--config", "x"]) == ["--config", "x"])
    }
}
