import SeguePlaylists
import Testing

@Suite struct `URI references` {
    // The examples of RFC 3986, 5.4, with the base http://a/b/c/d;p?q.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
    func `URI references resolve as in RFC 3986`(reference: String, expected: String) {
        #expect(URIReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
    }

    @Test(arguments: [
        ("http://h/a/../b/p.m3u8", "http://h/b/x.ts?y"), ("http://h/a/./p.m3u8?q=/z/", "http://h/a/x.ts?y"),
        ("http://h/.a/p.m3u8", "http://h/.a/x.ts?y"), ("http://h?q=/", "http://h/x.ts?y"), ("p/q.m3u8", "p/x.ts?y"),
    ])
    func `a base may have dots, a query or no path`(base: String, expected: String) {
        #expect(URIReference.resolve("x.ts?y", against: base) == expected)
    }

    @Test(arguments: [
        ("a b.ts", "http://h/a%20b.ts"), ("ü.ts", "http://h/%C3%BC.ts"), ("a%20b.ts", "http://h/a%20b.ts"),
        ("1:2.ts", "http://h/1:2.ts"), ("x?u=http://b/", "http://h/x?u=http://b/"),
    ])
    func `characters not allowed in URIs are encoded`(reference: String, expected: String) {
        #expect(URIReference.resolve(reference, against: "http://h/p.m3u8") == expected)
        #expect(URIReference.resolve(reference, against: "http://h") == expected)
    }
}
