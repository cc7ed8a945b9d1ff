import SegueBase
import Testing

@Suite struct `HTTP dates` {
    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] as [(Int64, String)]
    )
    func `writes times in HTTP's format`(seconds: Int64, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Tue, 29 Feb 2000 12:34:56 GMT", 951_827_696),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("", nil), ("yesterday", nil), ("0", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
            ("Sun, 06 Now 1994 08:49:37 GMT", nil), ("Sun, -6 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int64?)]
    )
    func `reads times in HTTP's three formats`(text: String, seconds: Int64?) {
        #expect(HTTPDate.secondsSince1970(text) == seconds)
    }

    @Test func `reads what it writes`() {
        for second in stride(from: Int64(-1_000_000_000), to: 5_000_000_000, by: 86_400 * 13 + 4567) {
            #expect(HTTPDate.secondsSince1970(HTTPDate.text(secondsSince1970: second)) == second)
        }
    }
}
