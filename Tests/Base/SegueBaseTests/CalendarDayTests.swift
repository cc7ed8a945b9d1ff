import SegueBase
import Testing

@Suite struct `Days and moments` {
    @Test(arguments: [
        ("1970-01-01", 0), ("2026-11-22", 20_779), ("2024-02-29", 19_782), ("0001-01-01", -719_162),
        ("9999-12-31", 2_932_896),
    ])
    func `a day is read, counted, and written`(text: String, number: Int64) throws {
        let day = try #require(CalendarDay(text))
        #expect(day.number == number && day.description == text)
        #expect(CalendarDay(secondsSince1970: number * 86_400 + 86_399) == day)
    }

    @Test(arguments: [
        "", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "22.11.2026", "2026-11-22T00:00:00Z",
        "-026-11-22", "0000-01-01", "2026-11-2x", "２０２６-11-22", "tomorrow",
    ])
    func `an invalid day is nil`(text: String) { #expect(CalendarDay(text) == nil) }

    @Test(arguments: [("2026-11-22T16:04:55Z", 1_795_363_495), ("1969-12-31T23:59:59Z", -1)])
    func `a moment is read and written`(text: String, seconds: Int64) throws {
        let time = try #require(UTCTime(text))
        #expect(time.secondsSince1970 == seconds && time.description == text)
        #expect(time.short == String(text.prefix(16)).split(separator: "T").joined(separator: " "))
    }

    @Test(arguments: ["", "2026-11-22", "2026-11-22T16:04:55", "2026-11-22T24:00:01Z", "2026-11-22T+1:00:00Z"])
    func `an invalid moment is nil`(text: String) { #expect(UTCTime(text) == nil) }
}
