import Foundation
import SegueTestSupport
import SegueWeb
import Testing

@Suite struct `Page templates` {
    private static func template(_ html: String, _ files: [String: String] = [:]) throws -> PageTemplate {
        try PageTemplate("page.html") { name throws(PageFailure) in
            guard let text = name == "page.html" ? html : files[name] else {
                throw PageFailure("\(name): no such file")
            }
            return text
        }
    }

    @Test(arguments: ["\"", "'", "<", ">", "&"])
    func `a value stays text, even if a combining mark follows its quote`(sign: String) throws {
        let template = try Self.template("<a title=\"{{text}}\">{{#list}}{{.}}{{/list}}</a>")
        for value in [sign, "\(sign)\u{301}", "a\(sign)\u{20E3}onclick=x", "\r\(sign)\u{FE0F}"] {
            let page = template.page(["text": value, "list": [value]])
            let scalars = page.unicodeScalars.filter { "\"'<>".unicodeScalars.contains($0) }
            #expect(String(String.UnicodeScalarView(scalars)) == "<\"\"><>", "\(page)")
        }
    }

    @Test func `values are found by name in dictionaries and structures, and may be absent`() throws {
        struct Row {
            let name: String
            let note: String?
        }
        let template = try Self.template(
            "{{#rows}}{{name}}{{#note}} ({{.}}){{/note}};{{/rows}}{{^rows}}none{{/rows}}{{more}}"
        )
        let rows = [Row(name: "a", note: "b"), Row(name: "c", note: nil)]
        #expect(template.page(["rows": rows]) == "a (b);c;")
        #expect(template.page(["rows": [Row]()]) == "none" && template.page() == "none")
    }

    @Test func `linked files of the same folder become part of the page, and their hashes allow them`() throws {
        let html = """
            <link rel="stylesheet" href="a.css"><link rel="stylesheet" href="b/c.css">
            <script src="a.js"></script><script src="{{version}}/b.js"></script>
            """
        let files = ["a.css": "a { color: red }", "a.js": "const {a} = {{a: {}}}, b = '{{version}}';\n"]
        let template = try Self.template(html, files)
        let page = template.page(["version": "1"])
        #expect(
            page == """
                <style>a { color: red }</style><link rel="stylesheet" href="b/c.css">
                <script>const {a} = {{a: {}}}, b = '{{version}}';
                </script><script src="1/b.js"></script>
                """
        )
        #expect(template.styleSources == ContentHash.source(of: "a { color: red }"))
        #expect(template.scriptSources.wholeMatch(of: /'sha256-[A-Za-z0-9+\/]{43}='/) != nil)
    }

    @Test func `a page without scripts allows none`() throws {
        let template = try Self.template("<p>")
        #expect(template.scriptSources == "'none'" && template.styleSources == "'none'")
    }

    @Test func `the hash of a text is the one that browsers compute`() {
        // From Content Security Policy Level 3, section 1.3.
        let hash = ContentHash.source(of: "doSubmit()")
        #expect(hash == "'sha256-jzgBGA4UWFFmpOBq0JpdsySukE1FrEN5bUpoK8Z29fY='")
    }

    @Test(arguments: [
        ("<p>{{#a}}", [:]), ("<script src=\"a.js\"></script>", [:]),
        ("<script src=\"a.js\"></script>", ["a.js": "'</SCRIPT >'"]),
        ("<script src=\"a.js\"></script>", ["a.js": "'<!--'"]),
        ("<link rel=\"stylesheet\" href=\"a.css\">", ["a.css": "/* </style> */"]),
    ])
    func `a malformed page is an error`(html: String, files: [String: String]) {
        #expect(throws: PageFailure.self) { try Self.template(html, files) }
    }
}

@Suite struct `Folder of pages` {
    @Test(arguments: ["link/link.html", "report/report.html", "watch/watch.html", "library/login.html"])
    func `has each page`(name: String) throws {
        let template = try WebFolder(path: Checkout.path("Web")).template(name)
        #expect(!template.page().contains("<link rel=\"stylesheet\""))
        #expect(template.styleSources != "'none'")
    }

    @Test func `lies beside the data, or beside or above the program, unless it is named`() throws {
        let checkout = Checkout.path("Web")
        let find = { (program: String, data: String, environment: [String: String]) in
            try WebFolder.belonging(to: program, beside: data, environment: environment).path
        }
        #expect(try find("/none/segue", Checkout.path("Harness"), [:]) == checkout)
        #expect(try find(Checkout.path(".build/release/segue"), "/none/Harness", [:]) == checkout)
        #expect(try find("/none/segue", "/none/Harness", ["SEGUE_WEB": checkout]) == checkout)
        #expect(throws: PageFailure.self) { try find("/none/segue", "/none/Harness", [:]) }
        #expect(throws: PageFailure.self) { try find("/none/segue", checkout, ["SEGUE_WEB": "/none"]) }
        #expect(throws: PageFailure.self) { try WebFolder(path: checkout).template("none/none.html") }
    }
}
