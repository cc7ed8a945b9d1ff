import HTTPTypes
import SegueOriginTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Error sentences` {
    @Test func `have the English text with places as their key`() {
        let (path, count) = ("a {2}.mp4", 3)
        let sentence: ErrorSentence = "\(path): \(count) of {x} files"
        #expect(sentence.key == "{1}: {2} of {x} files" && sentence.text == "a {2}.mp4: 3 of {x} files")
        #expect(sentence.text(in: [sentence.key: "{2} {1} {3}"]) == "3 a {2}.mp4 {3}")
        #expect(sentence.text(in: ["other": "x"]) == sentence.text)
    }

    @Test func `are translated with the sentences in them`() {
        let inner: ErrorSentence = "the library"
        let outer: ErrorSentence = "\(inner) has \(2) files"
        #expect(outer.text == "the library has 2 files")
        #expect(
            outer.text(in: ["the library": "die Mediathek", "{1} has {2} files": "{2} in: {1}"])
                == "2 in: die Mediathek"
        )
    }

    @Test func `may be verbatim, or have an English detail`() {
        #expect(ErrorSentence(verbatim: "a {1} b").text(in: ["a {1} b": "x"]) == "a {1} b")
        let detail = ErrorSentence("no {1} key", translatedAs: "packaging.encrypted")
        #expect(detail.text == "no {1} key")
        #expect(detail.text(in: ["packaging.encrypted": "verschlüsselt ({1})"]) == "verschlüsselt (no {1} key)")
    }

    @Test func `are replaced in error responses only`() {
        let failure = OriginFailure.badQuery("offset", "'\("x")' is not 1 or 0")
        let response = failure.response.translated(into: "de", ["'{1}' is not 1 or 0": "„{1}“ ist weder 1 noch 0"])
        #expect(response.message == "offset: „x“ ist weder 1 noch 0" && response.code == "badQuery")
        #expect(response.headers[.contentLength] == "\(response.bytes.count)")
        #expect(response.headers[.contentLanguage] == "de" && response.status == 400)
        var head = failure.response
        head.body = .empty
        let translated = head.translated(into: "de", [:])
        #expect(
            translated.bytes.isEmpty && translated.headers[.contentLength] == failure.response.headers[.contentLength]
        )
        let other = OriginResponse(status: 200, headers: [:], body: .bytes([1]))
        #expect(other.translated(into: "de", [:]).bytes == [1] && !other.hasSentence)
    }
}
