import NIOCore
import Testing

@testable import SegueServer

@Suite struct `Client addresses` {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:8080", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
        ("[::ffff:192.0.2.7]:1", "192.0.2.7"), ("2001:DB8::1", "2001:db8::1"), ("[2001:db8::1]:80", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"), ("::1", "::1"), ("::", "::"), ("", nil), ("unknown", nil), ("_hidden", nil),
        ("192.0.2.256", nil), ("192.0.2", nil), ("[2001:db8::1", nil), ("2001:db8::1:2:3:4:5:6:7", nil),
        ("1.2.3.4.5", nil), ("0x7f.1", nil), (String(repeating: "1", count: 5000), nil),
    ])
    func `are parsed in the forms of proxies and people`(text: String, written: String?) {
        #expect(ClientAddress(text[...])?.description == written)
    }

    @Test(arguments: [("192.0.2.7", 80), ("2001:db8:1:2:3:4:5:6", 80)])
    func `are read from sockets`(text: String, port: Int) throws {
        #expect(ClientAddress(try SocketAddress(ipAddress: text, port: port)) == ClientAddress(text[...]))
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", "192.0.2.0"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", "2001:db8:1::"),
        ("127.0.0.1", "127.0.0.1", "127.0.0.0"),
    ])
    func `are grouped by client and by network`(text: String, client: String, network: String) {
        #expect(ClientAddress(text[...])?.client.description == client)
        #expect(ClientAddress(text[...])?.truncated.description == network)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("10.0.0.0/8", "10.255.1.2", true),
        ("10.0.0.0/8", "11.0.0.1", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
        ("::/0", "8.8.8.8", true), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("2001:db8::/127", "2001:db8::1", true),
        ("2001:db8::/127", "2001:db8::2", false), ("::1", "::1", true), ("::1/128", "::2", false),
        ("2001:db8::/64", "2001:db8::ffff", true), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
    ])
    func `match ranges by their prefix`(range: String, address: String, isIn: Bool) throws {
        let address = try #require(ClientAddress(address[...]))
        #expect(try #require(AddressRange(range)).contains(address) == isIn)
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/x", "host", "[::1]", "10.0.0.1:80", "::/129",
    ])
    func `malformed ranges are rejected`(text: String) { #expect(AddressRange(text) == nil) }
}

@Suite struct `Clients behind proxies` {
    private let proxies = TrustedProxies(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"].compactMap { AddressRange($0) })

    @Test(arguments: [
        // The fields of an untrusted client are ignored.
        ("192.0.2.7", ["10.1.1.1"], [], "192.0.2.7"), ("127.0.0.1", [], [], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1"], [], "198.51.100.1"),
        // Forged entries are before those that the proxies append.
        ("127.0.0.1", ["203.0.113.9, 198.51.100.1"], [], "198.51.100.1"),
        ("127.0.0.1", ["203.0.113.9, 198.51.100.1, 10.1.1.1"], [], "198.51.100.1"),
        ("127.0.0.1", ["203.0.113.9", "198.51.100.1", " 10.1.1.1 "], [], "198.51.100.1"),
        ("127.0.0.1", ["10.1.1.1, 10.2.2.2"], [], "10.1.1.1"),
        ("127.0.0.1", ["198.51.100.1, rubbish"], [], "127.0.0.1"),
        ("127.0.0.1", ["rubbish, 10.1.1.1"], [], "10.1.1.1"), ("127.0.0.1", [",,"], [], "127.0.0.1"),
        ("127.0.0.1", ["[2001:db8::1]:80, 198.51.100.1:1234"], [], "198.51.100.1"),
        ("127.0.0.1", [], ["for=198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", [], ["For=\"[2a00::1]:99\";proto=https, for=10.1.1.1;by=x"], "2a00::1"),
        ("127.0.0.1", [], ["for=unknown"], "127.0.0.1"), ("127.0.0.1", [], ["by=10.1.1.1"], "127.0.0.1"),
        // The proxy wrote one of them, and the client the other.
        ("127.0.0.1", ["198.51.100.1"], ["for=203.0.113.9"], "::"),
        ("127.0.0.1", ["198.51.100.1"], ["for=203.0.113.9, for=198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["rubbish"], ["for=203.0.113.9"], "::"),
    ])
    func `are the last untrusted hop`(
        peer: String,
        forwardedFor: [String],
        forwarded: [String],
        client: String
    )
        throws
    {
        let found = proxies.client(of: try #require(ClientAddress(peer[...]))) { name in
            name == "X-Forwarded-For" ? forwardedFor : name == "Forwarded" ? forwarded : []
        }
        #expect(found.description == client)
    }

    @Test(arguments: [(ForwardingField.xForwardedFor, "198.51.100.1"), (.forwarded, "203.0.113.9")])
    func `are read from the field that the proxies write, if it is known`(field: ForwardingField, client: String) throws
    {
        var proxies = proxies
        proxies.field = field
        let found = proxies.client(of: try #require(ClientAddress("127.0.0.1"))) { name in
            name == "X-Forwarded-For" ? ["198.51.100.1"] : ["for=203.0.113.9"]
        }
        #expect(found.description == client)
    }

    @Test func `a very long list of hops is cheap and ignored`() throws {
        let hops = Array(repeating: "10.1.1.1", count: 10_000).joined(separator: ",")
        let found = proxies.client(of: try #require(ClientAddress("127.0.0.1"))) { name in
            name == "Forwarded" ? [] : [hops]
        }
        #expect(found.description == "10.1.1.1")
    }
}
