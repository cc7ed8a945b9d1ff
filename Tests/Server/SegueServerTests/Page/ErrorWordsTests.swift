import Foundation
import SegueOrigin
import SegueTestSupport
import Testing

@testable import SegueServer

@Suite struct `Translations of error sentences` {
    private static let languages = (try? PageFolder.files().errorWords.languages) ?? [:]

    /// The comments for translators by key.
    private static let comments: [String: String] = {
        let data = FileManager.default.contents(atPath: Checkout.path("Web/words/comments/errors.json"))
        return (try? JSONDecoder().decode([String: String].self, from: data ?? Data())) ?? [:]
    }()

    /// The sources that contain sentences, by name.
    private static let sources: [String: String] = {
        var sources: [String: String] = [:]
        for folder in ["Sources/Server/SegueOrigin", "Sources/Server/SegueServer"] {
            let root = Checkout.path(folder)
            for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init()
            where name.hasSuffix(".swift") && !name.hasPrefix("LinkControl") {
                sources[folder + "/" + name] = (try? String(contentsOfFile: root + "/" + name, encoding: .utf8)) ?? ""
            }
        }
        return sources
    }()

    /// Reads a string literal at the start of a source, with numbers in place of interpolations.
    private static func key(_ source: Substring) -> String {
        var rest = source
        if rest.hasPrefix("#\"") { return String(rest.dropFirst(2).prefix(while: { $0 != "#" }).dropLast()) }
        let end = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        rest = rest.dropFirst(end.count)
        var (key, count) = ("", 0)
        while !rest.isEmpty, !rest.hasPrefix(end) {
            if rest.hasPrefix("\\(") {
                var depth = 0
                rest = rest.dropFirst()
                repeat {
                    if rest.first == "(" { depth += 1 }
                    if rest.first == ")" { depth -= 1 }
                    rest = rest.dropFirst()
                } while depth > 0 && !rest.isEmpty
                count += 1
                key += "{\(count)}"
            } else if rest.hasPrefix("\\\n") {
                rest = rest.dropFirst(2).drop { $0 == " " }
            } else {
                if rest.first == "\\" { rest = rest.dropFirst() }
                key.append(rest.removeFirst())
            }
        }
        return key.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `every sentence has one`() throws {
        let places =
            #/(?:message:\s*|notFound\(\s*|badQuery\(\s*[\w."]+,\s*|unservable\(\s*"\w+",\s*|unavailable\(\s*"\w+",\s*(?:retryAfter: \d+,\s*)?|\bbad\(\s*|ErrorSentence =\s*)(?=\#?")/#
        var found: [String] = []
        // The results of background scans are part of lists, which are English.
        for (name, source) in Self.sources
        where source.contains(/OriginFailure|ErrorSentence/) && !name.hasSuffix("/Catalogue.swift") {
            for match in source.matches(of: places) { found.append(Self.key(source[match.range.upperBound...])) }
        }
        // A sentence that is only a value has nothing to translate.
        let expected = Set(found).subtracting(["{1}", ""])
        #expect(expected.count > 50)
        #expect(expected.subtracting(Self.comments.keys).sorted() == [])
    }

    @Test func `every key is a sentence of the sources`() {
        let all = Self.sources.values.joined().replacing(/\\\n\s*/, with: "").replacing("\\\"", with: "\"")
        for key in Self.comments.keys {
            let isReason = key.hasPrefix("packaging.")
            let parts = isReason ? [key.dropFirst(10)] : key.split(separator: /\{\d\}/)
            for part in parts where !all.contains(part) { Issue.record("'\(key)' has no source: \(part)") }
        }
    }

    @Test func `a language has all of them, with all values, and each has a comment`() throws {
        #expect(Self.languages.keys.sorted() == ["de"])
        let values = { (text: String) in Set(text.matches(of: /\{\d\}/).map { String($0.output) }) }
        for (tag, words) in Self.languages {
            #expect(Set(words.keys).symmetricDifference(Self.comments.keys).sorted() == [], "\(tag)")
            for (key, text) in words {
                let expected = key.hasPrefix("packaging.") ? ["{1}"] : values(key)
                #expect(values(text) == expected && !text.isEmpty, "\(tag): \(key)")
            }
        }
        for (key, comment) in Self.comments { #expect(!comment.isEmpty, "\(key)") }
    }

    @Test(arguments: [
        ("", "there is no item 'x'"), ("Accept-Language: de-AT, en;q=0.5\r\n", "Es gibt keinen Titel „x“."),
        ("Accept-Language: fr\r\n", "there is no item 'x'"),
        ("Accept-Language: de\r\nCookie: language=en\r\n", "there is no item 'x'"),
        ("Accept-Language: fr\r\nCookie: language=de\r\n", "Es gibt keinen Titel „x“."),
    ])
    func `an error response has the language of the client`(fields: String, message: String) async throws {
        let failure = OriginFailure(status: 404, code: "notFound", message: "there is no item '\("x")'")
        let words = try PageFolder.files().errorWords
        try await withServer(queueLimit: 8, words: words) { _, _ in
            failure.response
        } _: { address in
            let (head, body) = try await address.exchange("GET / HTTP/1.1\r\nHost: a\r\n\(fields)")
            let object = try JSONDecoder().decode([String: [String: String]].self, from: Data(body))
            #expect(object["error"] == ["code": "notFound", "message": message])
            #expect(head.lowercased().contains("content-length: \(body.count)\r\n"))
            #expect(head.lowercased().contains("content-language: de") == message.hasPrefix("Es"))
        }
    }
}
