import SegueBase
import Testing

@Suite struct `Times of ISO 8601` {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", Rational(0)), ("2026-11-24T07:16:20.250+01:00", Rational(1_795_500_980_250, 1000)),
            ("2024-02-29T12:00:00.5-0030", Rational(17_092_098_005, 10)), ("20260101T000000Z", Rational(1_767_225_600)),
            ("2026-01-01T00Z", Rational(1_767_225_600)), ("2026-01-01T00:30+00:30", Rational(1_767_225_600)),
            ("2025-12-31T24:00:00Z", Rational(1_767_225_600)), ("2024-02-29T23:59:60Z", Rational(1_709_251_200)),
            ("1969-12-31T23:59:59.25Z", Rational(-3, 4)), ("2026-01-01T00:00:00", Rational(1_767_225_600)),
            (
                "2026-01-01T00:00:00,000000000001999999999999999Z",
                Rational(1_767_225_600) + Rational(1, 1_000_000_000_000)
            ),
        ] as [(String, Rational)]
    )
    func `are read in every form that playlists and archives use`(text: String, seconds: Rational) {
        #expect(ISO8601Time(text)?.exactSeconds == seconds)
    }

    @Test(arguments: [
        "", "T", "2026-01-01", "2026-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "0000-01-01T00:00:00Z",
        "2026-01-01 00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01T24:00:01Z", "2026-01-01T24:00:00.1Z",
        "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00.5Z",
        "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60", "2026-01-01T00:00:00ZZ",
        "2026-01-01T00:00:00z", "2026-01-01T00:00:", "-2026-01-01T00:00:00Z", "+026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.\(String(repeating: "9", count: 1000))Z", "２026-01-01T00:00:00Z",
    ])
    func `reject any other text`(text: String) { #expect(ISO8601Time(text) == nil) }

    @Test func `know their zone and their precision`() throws {
        let exact = try #require(ISO8601Time("2026-01-01T00:00:00.1250Z"))
        #expect(exact.hasZone && exact.fractionDigits == 4 && exact.milliseconds == 1_767_225_600_125)
        let local = try #require(ISO8601Time("2026-01-01T00:00:00"))
        #expect(!local.hasZone && local.fractionDigits == 0)
    }

    @Test(arguments: [0, 1, -1, 999, 1_767_225_600_125, -62_135_596_800_000, 253_402_300_799_999] as [Int64])
    func `are written with milliseconds and read back`(milliseconds: Int64) {
        let text = ISO8601Time.text(milliseconds: milliseconds)
        #expect(text.utf8.count == 24 && ISO8601Time(text)?.milliseconds == milliseconds)
    }
}
