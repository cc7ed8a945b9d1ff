import SegueTestSupport
import Testing

@Suite struct `Access` {
    /// Only this machine reaches the server, although it listens on all addresses.
    private static func local(_ address: String) throws -> String {
        let found = try #require(address.firstMatch(of: /^(https?):\/\/[^\/]+:([0-9]+)(\/.*)$/))
        return "\(found.1)://127.0.0.1:\(found.2)\(found.3)"
    }

    @Test func `a reachable server prints an address with a stable key, and requires it`()
        async throws
    {
        let data = try TestFolder()
        var former = ""
        for _ in 0..<2 {
            try await Program.serving(
                AcceptanceMedia.folder.path,
                listen: "0.0.0.0:0",
                with: ["--data", data.path]
            ) { served in
                let address = try Self.local(served.address)
                let key = try #require(address.firstMatch(of: /\/k\/([0-9a-z]{26})\/$/)).1
                #expect(former.isEmpty || former == key)
                former = String(key)
                #expect(try await ServedFolder.status("\(address)api/items") == "200")
                #expect(try await ServedFolder.status(address.replacing("/k/\(key)", with: "")) == "401")
            }
        }
    }

    @Test func `keys are added and revoked while a server runs`() async throws {
        let data = try TestFolder()
        let options = ["--data", data.path]
        try await Program.serving(AcceptanceMedia.folder.path, listen: "0.0.0.0:0", with: options) { served in
            let base = try Self.local(served.address).replacing(/k\/.*/, with: "")
            let added = try await Program.run("access", "keys", "add", "guest", "--for", "1h", "--data", data.path)
            let url = "\(base)k/\(added.output.prefix(26))/api/items"
            while try await ServedFolder.status(url) != "200" {}
            let listed = try await Program.run("access", "keys", "list", "--data", data.path)
            #expect(listed.output.contains("guest") && !listed.output.contains(added.output.prefix(26)))
            #expect(try await Program.run("access", "keys", "revoke", "guest", "--data", data.path).status == 0)
            while try await ServedFolder.status(url) != "401" {}
        }
    }

    @Test func `an open server prints a warning`() async throws {
        let data = try TestFolder()
        try await Program.serving(
            AcceptanceMedia.folder.path,
            listen: "0.0.0.0:0",
            with: ["--open", "--data", data.path]
        ) { served in
            #expect(!served.address.contains("/k/"))
            let address = try Self.local(served.address)
            #expect(try await ServedFolder.status("\(address)api/items") == "200")
        }
    }

    @Test(arguments: [
        (["keys", "add", "a", "--for", "7y"], "--for 7y: must be a whole number of m, h, d, or w, such as 7d"),
        (["keys", "add", "a", "--until", "2001-01-01"], "--until 2001-01-01: is in the past"),
        (["keys", "add", "a", "--until", "2027-02-30"], "--until 2027-02-30: must be a date such as"),
        (["keys", "add", "a", "--folder", "../x"], "--folder ../x: must be a folder within the served one"),
        (["keys", "add", ""], "'': a name must have 1 to 64 bytes"), (["keys", "revoke", "x"], "key 'x': no such key"),
        (["people", "remove", "x"], "person 'x': no such person"),
        (["people", "add", "x"], "password: must have at least 8 characters"),
    ])
    func `invalid arguments are one line`(arguments: [String], line: String) async throws {
        let data = try TestFolder()
        let command = ["120", Program.path, "access"] + arguments + ["--data", data.path]
        let outcome = try await Program.run("timeout", command)
        #expect(outcome.status == 2 && outcome.errorLines.count == 1)
        #expect(outcome.errors.hasPrefix("segue: \(line)"))
    }
}
