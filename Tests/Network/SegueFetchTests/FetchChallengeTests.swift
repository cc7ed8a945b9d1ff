import Testing

@testable import SegueFetch

@Suite struct `Authentication challenges` {
    @Test func `parses a server's offers`() {
        let cases: [(String, FetchCredential.Scheme?, String)] = [
            ("Basic realm=\"a\",Digest realm=\"b\", nonce=\"n\"", .digest, "b"),
            ("Basic realm=\"a, Digest b\"", .basic, "a, Digest b"),
            ("Newauth realm=\"a\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=simple", .basic, "simple"),
            ("Negotiate, basic charset=\"UTF-8\", REALM = \"x \\\"y\\\"\"", .basic, "x \"y\""),
            ("Negotiate dGVzdA==", nil, ""), ("Basicly realm=\"a\"", nil, ""), ("Digest", .digest, ""),
            ("Basic realm=\"open, digest", .basic, "open, digest"), (",, ,", nil, ""), ("=, \"", nil, ""),
        ]
        for (field, scheme, realm) in cases {
            let offer = FetchChallenge.offer(in: [("www-authenticate", field)])
            #expect(offer?.scheme == scheme && offer?.realm ?? "" == realm, "\(field): \(String(describing: offer))")
        }
        let two = FetchChallenge.offer(in: [
            ("www-authenticate", "Basic realm=a"), ("www-authenticate", "Digest realm=b"),
        ])
        #expect(two?.scheme == .digest && two?.realm == "b")
    }
}
