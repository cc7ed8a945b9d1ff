import SegueXML
import Testing

@Suite struct `Markup documents` {
    private static func xml(_ text: String, _ change: (inout MarkupOptions) -> Void = { _ in }) throws -> MarkupDocument
    {
        var options = MarkupOptions()
        change(&options)
        return try MarkupDocument(xml: Array(text.utf8), options: options)
    }

    @Test func `contain elements, attributes, text, and comments with names and namespaces`() throws {
        let document = try Self.xml(
            """
            <?xml version='1.0'?><a xmlns='urn:a' xmlns:m="urn:m" m:x='1' y='&lt;&#233;'>b<m:c/><!-- d --><![CDATA[<e>]]></a>
            """
        )
        let root = document.root
        #expect(root.kind == .element && root.name == "a" && root.namespace == "urn:a" && root.prefix == nil)
        #expect(root.attributes.map(\.name) == ["x", "y"] && root.attributes.map(\.content) == ["1", "<é"])
        #expect(root.attributes.map(\.namespace) == ["urn:m", nil] && root["y"] == "<é" && root["z"] == nil)
        #expect(root.children.map(\.kind) == [.text, .element, .comment, .text])
        #expect(root.elements.map(\.prefix) == ["m"] && root.elements.map(\.namespace) == ["urn:m"])
        #expect(root.children.map(\.content) == ["b", "", " d ", "<e>"] && root.content == "b<e>")
        #expect(root.elements[0].parent == root && root.parent?.kind == .document && document.node.parent == nil)
        #expect(root.attributes[0].parent == root && root.line == 1 && document.errors.isEmpty)
    }

    @Test func `answer XPath with nodes, numbers, texts, and Booleans`() throws {
        let document = try Self.xml("<list><item n='1'>a</item><item n='30'>b</item></list>")
        #expect(try document.nodes("//item[@n > 1]").map(\.content) == ["b"])
        #expect(try document.nodes("//item/@n").map(\.kind) == [.attribute, .attribute])
        #expect(try document.nodes("//item/text()").map(\.content) == ["a", "b"])
        #expect(try document.query("sum(//@n)") == .number(31))
        #expect(try document.query("string(//item[2])") == .string("b"))
        #expect(try document.query("count(//item) = 2") == .boolean(true))
        #expect(try document.nodes("count(//item)").isEmpty && document.nodes("//none").isEmpty)
        let first = try #require(try document.nodes("//item").first)
        #expect(try document.nodes("following-sibling::*/@n", at: first).map(\.content) == ["30"])
        #expect(try document.nodes("//item/.. | //item").map(\.name) == ["list", "item", "item"])
    }

    @Test func `find elements of namespaces by prefix, and of a default one by name`() throws {
        let text = "<feed xmlns='urn:atom' xmlns:m='urn:m'><entry/><m:entry xmlns:m='urn:other'/><m:entry/></feed>"
        let document = try Self.xml(text)
        #expect(try document.nodes("/feed/entry").map(\.namespace) == ["urn:atom"])
        // A prefix has the URI of its first declaration.
        #expect(try document.nodes("//m:entry").count == 1)
        #expect(try document.nodes("//o:entry", namespaces: ["o": "urn:other"]).count == 1)
        let strict = try Self.xml(text) { $0.ignoresDefaultNamespace = false }
        #expect(try strict.nodes("/feed/entry").isEmpty)
        #expect(try strict.nodes("/a:feed/a:entry", namespaces: ["a": "urn:atom"]).count == 1)
        #expect(throws: MarkupError.self) { try document.nodes("//unknown:entry") }
    }

    @Test(arguments: ["", "//[", "//item[", "count(", "$x", "//item['x]", "nothing()", "//a\0//b", "1 +"])
    func `reject invalid expressions`(expression: String) throws {
        let document = try Self.xml("<a/>")
        let error = #expect(throws: MarkupError.self) { try document.query(expression) }
        #expect(error?.message.isEmpty == false && error?.message.contains("\n") == false)
    }

    @Test func `limit the length and the work of expressions`() throws {
        let document = try Self.xml("<a>" + String(repeating: "<b/>", count: 2000) + "</a>")
        #expect(throws: MarkupError.self) { try document.query(String(repeating: "(", count: 2000) + "1") }
        #expect(throws: MarkupError.self) { try document.query("1" + String(repeating: " ", count: 5000)) }
        #expect(throws: MarkupError.self) { try document.query("count(//b[count(//b[count(//b) > 1]) > 1])") }
        #expect(try document.query("count(//b)") == .number(2000))
    }

    @Test(arguments: [
        ("<a><b>x</a>", "x"), ("<a>x & y</a>", "x  y"), ("<a>x<b c=1>y</b></a>", "x"), ("<a>x", "x"),
        ("<a>&nbsp;x</a>", "x"),
    ])
    func `are repaired if allowed, and report each error with its position`(text: String, content: String) throws {
        let strict = #expect(throws: MarkupError.self) { try Self.xml(text) }
        #expect(strict?.line == 1)
        let document = try Self.xml(text) { $0.recovers = true }
        #expect(document.root.name == "a" && document.root.content.hasPrefix(content))
        let first = try #require(document.errors.first)
        #expect(first == strict && first.line == 1 && first.description.hasPrefix("line 1, column "))
    }

    @Test func `cannot be repaired without an element`() {
        for text in ["", " ", "no markup", "<!-- -->"] {
            #expect(throws: MarkupError.self) { try Self.xml(text) { $0.recovers = true } }
        }
    }

    @Test(arguments: [true, false])
    func `declare nothing and load nothing`(recovers: Bool) throws {
        let declarations = [
            "<!ENTITY a 'ha'>", "<!ENTITY a SYSTEM 'file:///etc/passwd'>", "<!ENTITY % p SYSTEM 'file:///etc/passwd'>",
            "<!ATTLIST x b CDATA 'long'>", "<!ATTLIST x b (c|d) 'c'>", "<!ELEMENT x ANY>", "<!NOTATION n SYSTEM 'n'>",
            "<!ENTITY u SYSTEM 'u' NDATA n>",
        ]
        for declaration in declarations {
            let error = #expect(throws: MarkupError.self, "\(declaration)") {
                try Self.xml("<!DOCTYPE x [\(declaration)]><x>&a;</x>") { $0.recovers = recovers }
            }
            #expect(error?.message.hasSuffix("declarations are not supported") == true, "\(declaration)")
        }
        let type = "<!DOCTYPE x SYSTEM 'file:///etc/passwd'><x/>"
        #expect(try Self.xml(type) { $0.recovers = recovers }.root.attributes.isEmpty)
        #expect(throws: MarkupError.self) {
            try Self.xml(type) { ($0.recovers, $0.allowsDocumentType) = (recovers, false) }
        }
    }

    @Test(arguments: [false, true])
    func `have limits of depth, elements, attributes, and bytes`(isHTML: Bool) throws {
        func parse(_ text: String, _ change: (inout MarkupOptions) -> Void) throws -> MarkupDocument {
            var options = MarkupOptions()
            change(&options)
            if isHTML { return try MarkupDocument(html: Array(text.utf8), options: options) }
            return try MarkupDocument(xml: Array(text.utf8), options: options)
        }
        func deep(_ depth: Int) -> String {
            String(repeating: "<div>", count: depth) + "x" + String(repeating: "</div>", count: depth)
        }
        // HTML has the elements `html` and `body` around these.
        let extra = isHTML ? 2 : 0
        #expect(try parse(deep(20)) { $0.depthLimit = 20 + extra }.root.content == "x")
        #expect(throws: MarkupError.self) { try parse(deep(20)) { $0.depthLimit = 19 + extra } }
        #expect(throws: MarkupError.self) { try parse(deep(100_000)) { $0.depthLimit = .max } }
        let wide = "<div>" + String(repeating: "<p></p>", count: 50) + "</div>"
        #expect(try parse(wide) { $0.elementLimit = 51 + extra }.nodes("//p").count == 50)
        #expect(throws: MarkupError.self) { try parse(wide) { $0.elementLimit = 50 + extra } }
        let dressed = "<p a='1' b='2' c='3'></p>"
        #expect(try parse(dressed) { $0.attributeLimit = 3 }.nodes("//@*").count == 3)
        #expect(throws: MarkupError.self) { try parse(dressed) { $0.attributeLimit = 2 } }
        #expect(throws: MarkupError.self) { try parse(dressed) { $0.byteLimit = 10 } }
    }

    @Test func `are read in the encoding that they declare`() throws {
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        let wide: [UInt8] =
            [0xFF, 0xFE] + "<a>é</a>".utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("<a>é</a>".utf8)
        for bytes in [latin, wide, marked] { #expect(try MarkupDocument(xml: bytes).root.content == "é") }
    }

    @Test func `are read from HTML, with repairs`() throws {
        let page = """
            <!doctype html><title>Films &amp; more&nbsp;!</title>
            <ul><li><a href=/a.m3u8 class='x'>A</a><li><a HREF="b.m3u8">Bé</ul>
            <video src=c.mp4></video><p>1 < 2<b>x<i>y</b></i>
            """
        let document = try MarkupDocument(html: Array(page.utf8))
        #expect(try document.nodes("//a/@href").map(\.content) == ["/a.m3u8", "b.m3u8"])
        #expect(try document.nodes("//title").first?.content == "Films & more\u{A0}!")
        #expect(try document.nodes("//li[2]/a").first?.content == "Bé")
        #expect(try document.nodes("//video/@src").count == 1)
        #expect(document.root.name == "html" && !document.errors.isEmpty)
        #expect(!document.errors.contains { $0.message.contains("video") })
        let latin = Array("<p>".utf8) + [0xE9] + Array("</p>".utf8)
        #expect(try MarkupDocument(html: latin, encoding: "ISO-8859-1").root.content == "é")
        #expect(throws: MarkupError.self) { try MarkupDocument(html: []) }
    }

    @Test func `keep their nodes valid, and allow queries from several threads`() async throws {
        let nodes = try Self.xml("<a><b>c</b></a>").nodes("//b")
        #expect(nodes.first?.content == "c" && nodes.first?.parent?.name == "a")
        let document = try Self.xml("<a>" + String(repeating: "<b>c</b>", count: 200) + "</a>")
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask { (try? document.nodes("//b[position() mod 2 = 0]").map(\.content).count) ?? 0 }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 100, count: 16))
    }
}
