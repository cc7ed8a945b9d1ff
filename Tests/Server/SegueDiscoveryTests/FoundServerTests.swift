import Testing

@testable import SegueDiscovery

@Suite struct FoundServerTests {
    private let server = AnnouncedServer(name: "Attic", id: "abc", version: "1.2", host: "0.0.0.0", port: 8080)

    @Test func `a found server equals the announced one`() {
        let found = FoundServer(name: "Attic", address: "192.0.2.7", port: 8080, text: server.text)
        #expect(
            found == FoundServer(kind: .segue, name: "Attic", id: "abc", url: "http://192.0.2.7:8080/", version: "1.2")
        )
    }

    @Test func `a server with keys and TLS announces both, as an https service`() {
        var server = server
        (server.needsKey, server.usesTLS) = (true, true)
        let found = FoundServer(name: "Attic", address: "fe80::1%2", port: 1, text: server.text)
        #expect(found.needsKey && found.usesTLS)
        #expect(found.url == "https://[fe80::1%2]:1/")
        #expect(server.services == ["_https._tcp", "_segue._tcp"])
    }

    @Test(arguments: [
        [], ["path"], ["path=evil"], ["=x", "path=/", "path=/other"], ["", "=", "==", "path=/"],
    ])
    func `malformed records are read as far as possible`(text: [String]) {
        let found = FoundServer(name: "x", address: "192.0.2.7", port: 80, text: text)
        #expect(found.url == "http://192.0.2.7:80/")
        #expect(!found.needsKey)
    }

    @Test func `an id is a stable UUID that differs between servers`() {
        let ids = [
            ServerIdentity.uuid(machine: "m", folders: ["a"], port: 80),
            ServerIdentity.uuid(machine: "m", folders: ["a"], port: 81),
            ServerIdentity.uuid(machine: "m", folders: ["b"], port: 80),
            ServerIdentity.uuid(machine: "n", folders: ["a"], port: 80),
        ]
        #expect(Set(ids).count == 4)
        #expect(ids[0] == ServerIdentity.uuid(machine: "m", folders: ["a"], port: 80))
        #expect(ids[0].split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(!ids.joined().contains("m"))
    }
}
