import SegueBase
import SegueXML
import Testing

@testable import SegueUPnP

@Suite struct XMLReaderTests {
    private func read(_ text: String) throws(XMLReader.Failure) -> XMLNode { try XMLReader.read(Array(text.utf8)) }

    @Test func `elements, text, references, CDATA, and comments are parsed, attributes and prefixes dropped`() throws {
        let document = try read(
            """
            \u{FEFF}<?xml version='1.0' encoding="UTF-8" standalone='yes'?>
            <!-- one --><s:a xmlns:s="urn:x" b='&lt;"'> x&amp;<c/>&#x41;&#66;&apos;<![CDATA[<&]]><!-- - -->\r
            <d e = "f" >&quot;&gt;</d ></s:a> <!-- two -->
            """
        )
        #expect(document.name == "a")
        #expect(document.trimmedText == "x&AB'<&")
        #expect(document.children == [XMLNode(name: "c"), XMLNode(name: "d", text: "\">")])
        #expect(document.descendant("d")?.text == "\">")
    }

    @Test(arguments: [
        "", " ", "x", "<", "<a", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "<a b></a>", "<a b=c/>", "<a b='<'/>",
        "<a b='1'c='2'/>", "<a>&x;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#-1;</a>",
        "<a>&#+65;</a>", "<a>&#x+41;</a>", "<a>&amp</a>", "<a>&;</a>", "<a>\u{1}</a>", "<a><!-- </a>",
        "<a><![CDATA[</a>",
        "<?xml version='1.0' encoding='UTF-16'?><a/>", "<?php ?><a/>", "<a><?x ?></a>", " <?xml version='1.0'?><a/>",
        "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "<a>&#99999999999999999999;</a>",
    ])
    func `malformed documents are rejected`(text: String) {
        #expect(throws: XMLReader.Failure.self) { try read(text) }
    }

    @Test func `entities cannot be declared`() {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><b>&b;</b>
            """
        let failure = #expect(throws: XMLReader.Failure.self) { try read(bomb) }
        #expect(failure?.message == "document types are not supported" && failure?.line == 1)
    }

    @Test func `depth, elements, attributes, and bytes are limited exactly`() throws {
        let deep = { (depth: Int) in
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try read(deep(XMLReader.Limit.depth)).name == "a")
        #expect(throws: XMLReader.Failure.self) { try read(deep(XMLReader.Limit.depth + 1)) }
        #expect(throws: XMLReader.Failure.self) { try read(String(repeating: "<a>", count: 20_000)) }
        let wide = { (count: Int) in "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>" }
        #expect(try read(wide(XMLReader.Limit.elements)).children.count == XMLReader.Limit.elements - 1)
        #expect(throws: XMLReader.Failure.self) { try read(wide(XMLReader.Limit.elements + 1)) }
        let dressed = { (count: Int) in "<a" + (0..<count).map { " b\($0)='c'" }.joined() + "/>" }
        #expect(try read(dressed(XMLReader.Limit.attributes)).name == "a")
        #expect(throws: XMLReader.Failure.self) { try read(dressed(XMLReader.Limit.attributes + 1)) }
        #expect(throws: XMLReader.Failure.self) { try read("<a>\(String(repeating: "x", count: 64 << 10))</a>") }
    }

    @Test func `invalid UTF-8 is rejected`() {
        #expect(throws: XMLReader.Failure.self) { try XMLReader.read(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) }
    }
}
