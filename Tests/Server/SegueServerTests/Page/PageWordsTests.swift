import Foundation
import SegueOrigin
import SegueWeb
import Testing

@testable import SegueServer

@Suite struct `Words of the page` {
    private static let languages = (try? PageFolder.files().languages) ?? [:]
    private static let english = languages["en"]?.texts ?? [:]

    private static func source(_ name: String) throws -> String {
        try String(contentsOfFile: PageFolder.path + "/" + name, encoding: .utf8)
    }

    private static let scripts =
        ((try? FileManager.default.contentsOfDirectory(atPath: PageFolder.path)) ?? []).filter { $0.hasSuffix(".js") }

    @Test(arguments: ["de", "en"])
    func `a language has every word that English has, and no other`(tag: String) throws {
        let words = try #require(Self.languages[tag]).texts
        #expect(Set(words.keys).symmetricDifference(Self.english.keys).sorted() == [])
        #expect(words.filter { $0.value.isEmpty }.isEmpty)
    }

    @Test func `every word has a comment for translators, which names its values`() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: PageFolder.path + "/../words/comments/page.json"))
        let comments = try JSONDecoder().decode([String: String].self, from: data)
        let keys = Set(Self.english.keys.map { String($0.split(separator: ".")[0]) })
        #expect(Set(comments.keys).symmetricDifference(keys).sorted() == [])
        for (key, text) in Self.english where !key.contains(".") {
            for value in text.matches(of: /\{\w+\}/) {
                #expect(comments[key]?.contains(value.output) == true, "\(key): \(value.output)")
            }
        }
    }

    @Test func `the places for values are the same in every language`() {
        let places = { (text: String) in text.matches(of: /\{(\w+)\}/).map { String($0.output.1) }.sorted() }
        for (tag, words) in Self.languages {
            for (key, text) in Self.english {
                #expect(places(words.texts[key] ?? "") == places(text), "\(tag): \(key)")
            }
        }
    }

    @Test func `every word that a script or the template asks for is there, and none is left over`() throws {
        var asked: Set<String> = ["languageName", "logout"]
        var all = ""
        for name in Self.scripts + ["page.html", LoginPage.template] { all += try Self.source(name) }
        let swift = try FileManager.default.contentsOfDirectory(
            atPath: PageFolder.path + "/../../Sources/Server/SegueServer/Page"
        )
        for name in swift { all += try Self.source("../../Sources/Server/SegueServer/Page/" + name) }
        all += try Self.source("../../Sources/Server/SegueServer/Access/LoginPage.swift")
        for match in all.matches(of: /\bt\(\s*'(\w+)'/) { asked.insert(String(match.output.1)) }
        for match in all.matches(of: /\{\{words\.(\w+)\}\}/) { asked.insert(String(match.output.1)) }
        let named = Set(all.matches(of: /['"](\w+)['"]/).map { String($0.output.1) })
        let keys = Set(Self.english.keys.map { String($0.split(separator: ".")[0]) })
        #expect(asked.subtracting(keys).sorted() == [])
        #expect(keys.subtracting(asked).subtracting(named).sorted() == [])
    }

    @Test func `a visible word stands in a file of words, and nowhere else`() throws {
        var found: [String] = []
        let template = try Self.source("page.html") + Self.source(LoginPage.template)
        // What stands between tags, and in attributes that are read out or shown.
        let body = template.replacing(/<svg[\s\S]*?<\/svg>/, with: "")
        for match in body.matches(of: />([^<>]*[A-Za-z][^<>]*)</) {
            let text = match.output.1.replacing(/\{\{\{?[^}]*\}\}\}?/, with: "")
            if text.contains(/[A-Za-z]{2}/) { found.append(String(text)) }
        }
        for match in template.matches(of: /(?:aria-label|title|placeholder|alt)="([^"{]+)"/) {
            found.append(String(match.output.1))
        }
        for name in Self.scripts {
            let script = try Self.source(name).replacing(/\/\/[^\n]*/, with: "").replacing(/\/\*[\s\S]*?\*\//, with: "")
            // A text with a blank between two words, or one that begins with a capital and is a word of people.
            for match in script.matches(of: /'([^'\n]*)'/) {
                let text = String(match.output.1)
                let isWords = text.contains(/[A-Za-z]{2,}[,.:!?]? [A-Za-z]{2,}/) && text.contains(/^[A-Z]|[.!?]$/)
                let isWord = text.contains(/^[A-Z][a-z]{2,}[.!?]?$/)
                if isWords || isWord { found.append("\(name): \(text)") }
            }
        }
        // A product's name, codecs, and names of the platform's own.
        let names: Set<String> = [
            "Segue", "Opus", "ArrowRight", "Enter", "Escape", "Home", "End", "Tab", "AbortError", "Space k",
            "menus.js: Escape", "menus.js: Home", "menus.js: End", "menus.js: Tab", "playerview.js: Opus",
            "keyboard.js: Escape", "keyboard.js: Arrow", "keyboard.js: ArrowLeft",
        ]
        #expect(found.filter { !names.contains($0) } == [])
    }

    @Test func `values stand in their places, and what is not known stays as it is`() {
        let words = PageWords(texts: ["a": "{x} of {y}", "n.one": "{count} title", "n.other": "{count} titles"])
        #expect(words.text("a", ["x": "1"]) == "1 of {y}")
        #expect(words.text("n", count: 1) == "1 title" && words.text("n", count: 2) == "2 titles")
        #expect(words.text("none") == "none")
    }
}

@Suite struct `Language of a visit` {
    @Test(arguments: [
        (nil, nil, "en"), ("", nil, "en"), ("de", nil, "de"), ("de-AT,de;q=0.9", nil, "de"), ("fr,it", nil, "en"),
        ("fr;q=1,de;q=0.2,en;q=0.1", nil, "de"), ("en;q=0.2,de;q=0.9", nil, "de"), ("de;q=0,en", nil, "en"),
        ("de;q=bad", nil, "en"), (",,;;q", nil, "en"), ("DE", nil, "de"), ("de", "language=en", "en"),
        ("en", "a=b; language=de", "de"), ("de", "language=xx", "de"), ("de", "language", "de"),
        ("zh-Hant-TW, de", nil, "de"),
    ])
    func `is chosen, or else what the browser is set to, or else English`(
        accepted: String?,
        cookies: String?,
        language: String
    ) {
        var visit = PageVisit(acceptedLanguages: accepted, cookies: cookies)
        #expect(LanguageChoice.best(for: visit, of: ["de", "en"]) == language)
        visit.language = "de"
        #expect(LanguageChoice.best(for: visit, of: ["de", "en"]) == "de")
    }
}

@Suite struct `Files of the page` {
    @Test func `a folder without the page says so`() throws {
        #expect(throws: PageFailure.self) { try PageFiles(folder: "/none") }
        #expect(throws: PageFailure.self) { try PageFiles(folder: PageFolder.path + "/../words") }
    }
}
