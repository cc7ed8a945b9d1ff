import SegueBase
import Testing

@testable import SegueConformance

@Suite struct `Times of TTML` {
    private static func facts(_ text: String) -> TimedTextFacts? { TimedTextFacts(Array(text.utf8)[...]) }

    @Test(
        arguments: [
            (
                "<tt><body><div><p begin=\"00:00:12.500\" end=\"00:00:14\">a</p></div></body></tt>", Rational(25, 2),
                Rational(14)
            ),
            ("<tt:tt><tt:body><tt:p begin='1s' end='2500ms'/></tt:body></tt:tt>", Rational(1), Rational(5, 2)),
            ("<tt><body begin=\"10s\"><p begin=\"1s\" end=\"2s\">a</p></body></tt>", Rational(11), Rational(12)),
            (
                "<tt ttp:frameRate=\"25\"><body><p begin=\"00:00:01:05\" end=\"50f\"/></body></tt>", Rational(6, 5),
                Rational(2)
            ),
            ("<tt ttp:tickRate=\"1000\"><p begin=\"500t\"/><p begin=\"900t\"/></tt>", Rational(1, 2), Rational(9, 10)),
        ] as [(String, Rational, Rational)]
    )
    func `begin and end are read in each form`(text: String, begin: Rational, end: Rational) {
        let facts = Self.facts(text)
        #expect(facts?.begin == begin && facts?.end == end)
    }

    @Test(
        arguments: [
            ("ttp:timeBase=\"smpte\" ttp:frameRate=\"25\"", "00:00:01:05", "smpte", nil),
            ("ttp:timeBase='clock'", "00:00:01", "clock", nil),
            ("ttp:timeBase=\"media\"", "00:00:01.5", nil, nil), ("", "00:00:01:05", nil, "00:00:01:05"),
            ("", "50f", nil, "50f"), ("", "900t", nil, "900t"), ("ttp:frameRate=\"25\"", "50f", nil, nil),
            ("ttp:tickRate=\"1000\"", "900t", nil, nil), ("", "900ms", nil, nil),
        ] as [(String, String, String?, String?)]
    )
    func `clocks and times without a rate are noted`(root: String, time: String, base: String?, unrated: String?) {
        let facts = Self.facts("<tt \(root)><body><p begin=\"\(time)\">a</p></body></tt>")
        #expect(facts != nil && facts?.otherTimeBase == base && facts?.unratedTime == unrated)
    }

    @Test(arguments: [
        "", "<", "<p", "<p begin=", "<p begin=\"x\">", "<p begin=\"99999999999999999999s\">", "</p></p><p>",
    ])
    func `documents without times have none`(text: String) {
        #expect(Self.facts(text) == nil)
    }
}
