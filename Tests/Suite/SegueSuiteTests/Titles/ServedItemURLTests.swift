import SegueSuite
import Testing

@Suite struct `URLs of items` {
    @Test(arguments: [
        ("http://a/items/x/index.m3u8", "background=1", "http://a/items/x/master.m3u8?apart=1"),
        ("http://a/items/x/master.m3u8?device=b", "&background=1", "http://a/items/x/master.m3u8?device=b&apart=1"),
        ("http://a/items/x/index.m3u8?u=/index.m3u8", "&background=1", "x/master.m3u8?u=/index.m3u8&apart=1"),
    ])
    func `an item of the server has other playlists`(url: String, background: String, multivariant: String) throws {
        #expect(ServedItemURL.background(of: url)?.hasPrefix(url) == true)
        #expect(ServedItemURL.background(of: url)?.hasSuffix(background) == true)
        #expect(ServedItemURL.multivariant(of: url)?.hasSuffix(multivariant) == true)
    }

    @Test(arguments: ["", "?", "http://a/index.m3u8", "http://a/items/index.m3u8", "http://a/items/x/original"])
    func `other URLs have none`(url: String) {
        #expect(ServedItemURL.background(of: url) == nil && ServedItemURL.multivariant(of: url) == nil)
    }

    @Test func `a device is named in an item's playlist only, and once`() {
        let plain = "http://a/items/x/index.m3u8"
        #expect(ServedItemURL.naming("tv", in: plain) == plain + "?device=tv")
        let named = "http://a/items/x/index.m3u8?background=1&device=phone"
        #expect(ServedItemURL.naming("tv", in: named) == named)
        #expect(ServedItemURL.naming("tv", in: "http://a/film.m3u8") == "http://a/film.m3u8")
    }
}
