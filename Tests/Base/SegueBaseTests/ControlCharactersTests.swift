import Foundation
import SegueBase
import Testing

@Suite struct `Control characters` {
    @Test(arguments: [
        ("plain \u{E4} \u{1F3B5}", "plain \u{E4} \u{1F3B5}"), ("a\u{1B}]0;owned\u{7}b", "a\\u{1B}]0;owned\\u{07}b"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{9B}2J", "\\u{009B}2J"), ("\u{7F}\0", "\\u{7F}\\0"),
        // A right-to-left override shows mp3.exe as exe.3pm; a line separator begins a line.
        ("x\u{202E}3pm.exe", "x\\u{202E}3pm.exe"), ("a\u{2028}b\u{2066}c\u{200F}", "a\\u{2028}b\\u{2066}c\\u{200F}"),
    ])
    func `are visible on one line`(text: String, shown: String) { #expect(ControlCharacters.shown(text) == shown) }

    @Test(arguments: [
        ("a\nb\tc", "a\nb\tc", "a\nb\tc"), ("a\rb", "a\\rb", "a\\rb"),
        ("\u{1B}[1;31mred\u{1B}[0m", "\\u{1B}[1;31mred\\u{1B}[0m", "\u{1B}[1;31mred\u{1B}[0m"),
        ("\u{1B}[2J", "\\u{1B}[2J", "\\u{1B}[2J"), ("\u{1B}[", "\\u{1B}[", "\\u{1B}["),
        ("\u{1B}", "\\u{1B}", "\\u{1B}"),
        ("\u{1B}[6n\u{1B}[m", "\\u{1B}[6n\\u{1B}[m", "\\u{1B}[6n\u{1B}[m"),
        ("\u{1B}[11111111111111111m", "\\u{1B}[11111111111111111m", "\\u{1B}[11111111111111111m"),
    ])
    func `are visible in lines, but for colors on request`(text: String, plain: String, colored: String) {
        #expect(ControlCharacters.shownLines(text) == plain)
        #expect(ControlCharacters.shownLines(text, keepsColors: true) == colored)
    }

    @Test func `are escaped in JSON, whose values stay the same`() throws {
        let values = ["a\u{9B}2J", "\u{7F}", "x\u{202E}y", "\n\u{1B}", "\u{E4}"]
        let json = ControlCharacters.shownJSON(String(decoding: try JSONEncoder().encode(values), as: UTF8.self))
        #expect(json == #"["a\u009b2J","\u007f","x\u202ey","\n\u001b","\#u{E4}"]"#)
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == values)
    }
}
