import SegueBase
import Testing

@Suite struct `Messages` {
    static let alike = [
        ("sound 0.08 s late at segment 7", "sound 1.2 s late at segment 12"), ("offset -80 ms", "offset 80 ms"),
        (
            "no answer from http://a.example/film-1/v0/seg12.ts?token=x",
            "no answer from https://b.example:8080/other/9.ts"
        ),
        ("(video/segment-00012.m4s) is cut", "(video/segment-7.m4s) is cut"),
        ("key 3f2a9c0d11 is refused", "key 9bc1d2e3f4 is refused"),
        ("at 0x7f3a10", "at 0x7f3b20"), ("640x480 pixels", "1280x720 pixels"), ("took 1e-05 s", "took 3.5 s"),
        ("item item-2, position 10", "item item-3, position 7.25"),
    ]

    @Test(arguments: alike)
    func `quotations that differ only in numbers and names have one shape`(one: String, other: String) {
        #expect(Message(quoting: one).shape == Message(quoting: other).shape)
    }

    static let apart = [
        ("its film (h264) is not served", "its film (hevc) is not served"), ("h264", "h263"),
        ("http://a/x.m3u8 failed", "http://a/x.ts failed"), ("late", "early"), ("decade of facade", "facade of decade"),
        ("audio 80 ms late", "audio 80 ms late relative to the video"),
    ]

    @Test(arguments: apart)
    func `quotations that differ in words have two shapes`(one: String, other: String) {
        #expect(Message(quoting: one).shape != Message(quoting: other).shape)
    }

    @Test func `any quotation prints its text`() {
        let texts = [
            "", " ", "  a  1.5.2  (b.ts), \"-3\"…", "12", "ends in 12.", "\u{202E}x\u{0}7 é9", "http://", "-", "0x",
            "−3",
            "1e999 s", String(repeating: "x 1 ", count: 2000),
        ]
        for text in texts { #expect(Message(quoting: text).text == text) }
    }

    @Test func `values are apart from words and names, and print as they do in texts`() {
        let (count, seconds, tag, url) = (3, 2.5, "#EXT-X-GAP", "http://a/9.mp4")
        let message: Message = "\(tag) on \(count) of \(12, of: "segment") for \(seconds) s in \(value: url)"
        #expect(message.text == "#EXT-X-GAP on 3 of 12 segments for 2.5 s in http://a/9.mp4")
        #expect(message.shape == "#EXT-X-GAP on # of # segment for # s in *.mp4")
        #expect(("\(1, of: "segment")" as Message).text == "1 segment")
        #expect(("\(Double.infinity) s" as Message).parts == [.value("inf"), .words(" s")])
    }

    @Test func `a message within a message keeps its values`() {
        let inner: Message = "after \(7) s"
        let outer: Message = "late: \(inner), again" + "; \(value: "x")"
        #expect(outer.parts == [.words("late: after "), .number(7, text: "7"), .words(" s, again; "), .value("x")])
        #expect([inner, inner].joined(separator: ", ").shape == "after # s, after # s")
    }

    @Test func `a removed secret leaves no trace, even across parts`() {
        let message: Message = "key \(value: "abc")\(12) of \(3)"
        #expect(message.replacing { $0.replacing("abc", with: "{k}") }.shape == "key *# of #")
        #expect(message.replacing { $0.replacing("abc12", with: "{k}") }.parts == [.words("key {k} of 3")])
    }
}
