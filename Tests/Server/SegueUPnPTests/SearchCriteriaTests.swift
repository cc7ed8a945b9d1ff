import Testing

@testable import SegueUPnP

@Suite struct SearchCriteriaTests {
    private static let song = {
        let (type, title) = ("object.item.audioItem.musicTrack", "Ünder \"the\" Bridge")
        var song = ContentEntry(id: "s", parent: "p", type: type, title: title)
        (song.reference, song.artist) = ("q", "Peppers")
        return song
    }()

    /// Examples written from ContentDirectory:1, section 2.5.5.
    @Test(arguments: [
        ("*", true), ("dc:title contains \"bridge\"", true), ("dc:title contains \"ridges\"", false),
        ("dc:title contains \"ÜNDER\"", true), ("dc:title contains \"\"", true),
        ("dc:title doesNotContain \"bridge\"", false), ("dc:title contains \"\\\"the\\\"\"", true),
        ("upnp:class derivedfrom \"object.item.audioItem\"", true),
        ("upnp:class derivedFrom \"object.item.audio\"", false), ("upnp:class = \"object.item\"", false),
        ("upnp:artist = \"peppers\"", true), ("dc:creator = \"Peppers\"", true), ("upnp:artist != \"x\"", true),
        ("upnp:album exists false", true), ("upnp:album exists true", false), ("@refID exists true", true),
        ("upnp:album = \"x\"", false), ("upnp:album != \"x\"", true), ("@id = \"s\"", true),
        ("dc:title >= \"a\" and dc:title < \"a\"", false), ("dc:title startsWith \"ünder\"", true),
        ("upnp:class derivedfrom \"object.item.audioItem\" and (dc:title contains \"x\" or @refID exists true)", true),
        ("@id = \"x\" and @id = \"s\" or @id = \"s\"", true), ("@id = \"s\" or @id = \"s\" and @id = \"x\"", true),
        ("(@id = \"s\" or @id = \"s\") and @id = \"x\"", false), ("@id=\"s\"and(@parentID=\"p\")", true),
    ])
    func `an entry matches the criteria`(text: String, isFound: Bool) throws {
        #expect(try SearchCriteria(text).matches(Self.song) == isFound)
    }

    @Test(arguments: [
        "", "x", "dc:title", "dc:title contains", "dc:title contains x", "dc:title contains \"x", "res@size > \"1\"",
        "dc:title = \"x\" and", "dc:title = \"x\" dc:title = \"x\"", "(dc:title = \"x\"", "dc:title = \"x\")", "()",
        "* and *", "dc:title exists maybe", "dc:title == \"x\"", "dc:title contains \"\\", "and", "\"x\" = \"x\"",
    ])
    func `malformed criteria are rejected`(text: String) {
        #expect(throws: SOAPFault.badSearchCriteria) { try SearchCriteria(text) }
    }

    @Test func `brackets, words, and length are limited`() throws {
        let nested = { (depth: Int) in
            String(repeating: "(", count: depth) + "@id = \"s\"" + String(repeating: ")", count: depth)
        }
        #expect(try SearchCriteria(nested(16)).matches(Self.song))
        #expect(throws: SOAPFault.badSearchCriteria) { try SearchCriteria(nested(17)) }
        #expect(throws: SOAPFault.badSearchCriteria) {
            try SearchCriteria(String(repeating: "@id = \"s\" or ", count: 90) + "@id = \"s\"")
        }
        #expect(throws: SOAPFault.badSearchCriteria) { try SearchCriteria(String(repeating: "(", count: 5000)) }
    }
}
