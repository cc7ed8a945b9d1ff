import SegueOrigin
import Testing

@Suite struct `Allowed hosts` {
    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:8080", "localhost", "localhost:8080", "localhost:", "LOCALHOST", "localhost.:80",
        "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]:80", "[::ffff:127.0.0.1]:80", "127.9.8.7:1",
    ])
    func `of a server on loopback are localhost and the loopback addresses, at any port`(authority: String) {
        for listening in ["127.0.0.1", "localhost", "::1", "[::1]"] {
            #expect(AllowedHosts(listeningOn: listening).allows(authority))
        }
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "evil.localhost", "127.0.0.1.evil.example:8080",
        "192.0.2.1", "[2001:db8::1]:80", "0.0.0.0:8080", "[::]", "", ":8080", "localhost:80:80", "localhost:x",
        "user@localhost", "localhost/", "localhost ", " localhost", "localhost,evil.example", "local%68ost", "::1",
        "[::1", "::1]", "[localhost]", "[127.0.0.1]", "[::1]x", "[::1]x:80", "127.0.0.1:80@evil.example", "127.1",
        "2130706433", "0x7f.1", "localhost..", "localho\u{17F}t", "[]", "[]:80", ":", "*",
    ])
    func `of a server on loopback are no others`(authority: String) {
        for listening in ["127.0.0.1", "localhost", "::1"] {
            #expect(!AllowedHosts(listeningOn: listening).allows(authority))
        }
    }

    @Test func `include configured names, in any case, with a final dot or a port`() {
        let hosts = AllowedHosts(
            listeningOn: "127.0.0.1",
            named: ["Media.Example", "tv:9000", "[2001:DB8::1]", "2001:db8::2", "", "no host"]
        )
        for authority in [
            "media.example", "MEDIA.example.:80", "tv", "tv:1", "[2001:db8:0::1]:80", "[2001:db8::2]", "localhost",
        ] {
            #expect(hosts.allows(authority), "\(authority)")
        }
        for authority in ["example", "x.media.example", "tv.example", "[2001:db8::3]", "", "no", "host"] {
            #expect(!hosts.allows(authority), "\(authority)")
        }
    }

    @Test func `of a server on one address are that address and loopback`() {
        let hosts = AllowedHosts(listeningOn: "192.0.2.7")
        for authority in ["192.0.2.7", "192.0.2.7:80", "localhost:80", "[::ffff:192.0.2.7]"] {
            #expect(hosts.allows(authority))
        }
        for authority in ["192.0.2.8", "evil.example"] { #expect(!hosts.allows(authority)) }
    }

    @Test(arguments: ["0.0.0.0", "::", "*"])
    func `of a server on all addresses are all addresses, and no names`(listening: String) {
        let hosts = AllowedHosts(listeningOn: listening, named: ["tv"])
        for authority in ["192.0.2.7:80", "[2001:db8::1]", "localhost", "tv"] { #expect(hosts.allows(authority)) }
        for authority in ["evil.example", "192.0.2.7.evil.example", "*", "::1"] { #expect(!hosts.allows(authority)) }
    }

    @Test func `accept a request without a host`() { #expect(AllowedHosts(listeningOn: "::1").allows(nil)) }
}

@Suite struct `Host name` {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.3", true), ("::1", true), ("[::1]", true), ("localhost", true),
        ("LocalHost.", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false), ("0.0.0.0", false), ("::", false),
        ("::2", false), ("example", false),
    ])
    func `recognizes loopback`(text: String, isLoopback: Bool) throws {
        #expect(try #require(HostName(text)).isLoopback == isLoopback)
    }
}
