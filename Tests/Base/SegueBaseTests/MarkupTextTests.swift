import Foundation
import SegueBase
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct `Markup text` {
    @Test(arguments: ["a & b < c > d", "\"it's\"", "line\nand\ttab\r", "&amp;", "grüezi \u{1F3B5}", ""])
    func `round-trips through an XML reader, as content and as an attribute`(text: String) throws {
        let escaped = MarkupText.escaped(text)
        let document = try XMLDocument(xmlString: "<a b=\"\(escaped)\">\(escaped)</a>")
        let root = try #require(document.rootElement())
        #expect(root.stringValue == text)
        #expect(root.attribute(forName: "b")?.stringValue == text)
    }

    @Test func `replaces characters that XML does not allow`() {
        #expect(MarkupText.escaped("a\u{0}b\u{1b}\u{FFFE}") == "a\u{FFFD}b\u{FFFD}\u{FFFD}")
    }
}
