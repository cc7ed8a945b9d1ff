import SegueBase
import Testing

@Suite struct `XML documents` {
    private static func read(_ text: String, _ limits: XMLDocument.Limits = .init(bytes: 1 << 20, depth: 500)) throws
        -> XMLDocument
    {
        try XMLDocument(Array(text.utf8), limits: limits)
    }

    @Test func `keep elements, attributes, and text in document order`() throws {
        let document = try Self.read("<a x='1'>b<c y=\"&lt;&#233;\"/><![CDATA[<d>]]></a>")
        #expect(document.elements.map(\.name) == ["a", "c"] && document.elements.map(\.parent) == [nil, 0])
        #expect(document.elements[0].attributes == ["x": "1"] && document.elements[1].attributes == ["y": "<é"])
        let texts = document.elements[0].content.map { if case .text(let text) = $0 { text } else { "element" } }
        #expect(texts == ["b", "element", "<d>"])
    }

    @Test func `are read without recursion, up to the allowed depth`() throws {
        let depth = 100_000
        let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        #expect(try Self.read(text, .init(bytes: 1 << 20, depth: depth)).elements.count == depth)
        #expect(throws: XMLDocument.Failure.self) { try Self.read(text, .init(bytes: 1 << 20, depth: depth - 1)) }
    }

    @Test func `skip processing instructions only if allowed`() throws {
        let text = "<?xml version='1.0'?><?xml-stylesheet href='a'?><a/>"
        #expect(throws: XMLDocument.Failure.self) { try Self.read(text) }
        #expect(try Self.read(text, .init(bytes: 100, depth: 1, allowsInstructions: true)).elements.count == 1)
    }

    @Test(arguments: [
        ("UTF-8", "é", true), ("utf8", "é", true), ("ISO-8859-1", "e", true), ("ISO-8859-1", "é", false),
        ("UTF-16", "e", false),
    ])
    func `are UTF-8, and may declare another encoding only for plain ASCII`(
        encoding: String,
        text: String,
        isRead: Bool
    ) {
        let document = try? Self.read("<?xml version='1.0' encoding='\(encoding)'?><a>\(text)</a>")
        #expect((document != nil) == isRead)
    }
}
