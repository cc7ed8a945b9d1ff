import SegueBase
import Testing

@Suite struct `Decimal text` {
    @Test(arguments: [
        (0, 6, "0"), (1.5, 6, "1.5"), (-0.25, 6, "-0.25"), (-0.0000001, 6, "0"), (2.0000004, 6, "2"),
        (0.0005, 3, "0.001"), (12.3456, 3, "12.346"), (100, 3, "100"), (99.96, 1, "100"), (7.5, 0, "8"),
        (1e300, 6, "1e+300"), (.infinity, 6, "inf"), (-.infinity, 3, "-inf"),
    ])
    func `writes only the necessary decimals`(value: Double, places: Int, text: String) {
        #expect(DecimalText.short(value, places: places) == text)
    }

    @Test(arguments: [
        (0, 3, "0.000"), (5, 3, "0.005"), (-1_234_500, 6, "-1.234500"), (42, 0, "42"), (7, 9, "0.000000007"),
        (Int64.min, 9, "-9223372036.854775808"), (Int64.max, 6, "9223372036854.775807"),
    ])
    func `writes units with all decimals`(units: Int64, places: Int, text: String) {
        #expect(DecimalText.fixed(units: units, places: places) == text)
    }

    @Test func `keeps zeros before the decimal point`() {
        #expect(DecimalText.short(units: 1000, places: 0) == "1000")
        #expect(DecimalText.short(units: 1000, places: 3) == "1")
        #expect(DecimalText.short(units: 100_000, places: 3) == "100")
    }
}
