import SegueData
import Testing

@Suite struct `Name pattern` {
    @Test(arguments: [
        ("a", "a", true), ("a", "ab", false), ("*", "", true), ("*", "a/b", true), ("a*", "a", true),
        ("a*c", "abbc", true), ("a*c", "abcd", false), ("*b*d", "abcbcd", true), ("?", "é", true), ("?", "", false),
        ("a?c", "abc", true), ("", "", true), ("", "a", false), ("*.mp4", "films/a.mp4", true), ("[a]", "a", false),
        ("A", "a", false), ("**", "x", true),
    ])
    func `matches from beginning to end`(pattern: String, name: String, fits: Bool) {
        #expect(NamePattern(pattern).matches(name) == fits)
    }

    @Test func `is fast with many stars`() {
        let pattern = NamePattern(String(repeating: "a*", count: 60) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 4000)))
    }
}
