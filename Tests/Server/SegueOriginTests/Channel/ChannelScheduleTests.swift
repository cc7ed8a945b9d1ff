import SegueBase
import SegueOrigin
import SeguePlaylists
import Testing

/// Titles whose segments have these numbers of parts of half a second, the last of each a tenth shorter.
func titles(_ counts: [[Int]]) -> [ChannelTitle] {
    counts.map { title in
        ChannelTitle(
            segments: title.map { count in
                ChannelSegment(
                    parts: (0..<count).map { place in
                        ChannelPart(microseconds: place == count - 1 ? 400_000 : 500_000, hasKeyframe: place % 4 == 0)
                    }
                )
            }
        )
    }
}

/// A channel of such titles.
func channel(_ counts: [[Int]]) -> ChannelProgramme {
    ChannelProgramme(ChannelSchedule(titles: titles(counts)), name: "a", partTarget: 500_000)
}

@Suite struct ChannelScheduleTests {
    private static let year: Int64 = 365 * 86_400 * 1_000_000

    @Test func `titles follow one another, and the first follows the last`() {
        let schedule = ChannelSchedule(titles: titles([[2, 3], [4]]))
        // 0.9 s, 1.4 s and 1.9 s.
        #expect(schedule.round == 4_200_000)
        let places = [0, 900_000, 2_300_000, 4_200_000, 5_100_000].map { (time: Int64) in
            schedule.place(at: ChannelTime(microseconds: time))
        }
        #expect(places.map(\.sequence) == [0, 1, 2, 3, 4])
        #expect(places.map(\.title) == [0, 0, 1, 0, 0])
        #expect(places.map(\.number) == [0, 1, 0, 0, 1])
        #expect(places.map(\.discontinuity) == [1, 1, 2, 3, 3])
        #expect(places.map(\.startsDiscontinuity) == [true, false, true, true, false])
        #expect(places.map(\.start.microseconds) == [0, 900_000, 2_300_000, 4_200_000, 5_100_000])
        for place in places {
            #expect(schedule.place(sequence: place.sequence) == place)
            #expect(schedule.place(at: place.end - 1) == place)
            #expect(schedule.place(at: place.end).sequence == place.sequence + 1)
        }
    }

    @Test(arguments: [1, 50, 10_000])
    func `after years the numbers equal a count of all segments`(years: Int64) {
        let counts = [[13, 12, 9], [1], [20, 20]]
        let schedule = ChannelSchedule(titles: titles(counts))
        let time = ChannelTime(microseconds: years * Self.year + 123_456)
        let place = schedule.place(at: time)
        let rounds = time.microseconds / schedule.round
        #expect(place.sequence / 6 == Int(rounds))
        #expect(place.start <= time && time < place.end)
        #expect(schedule.place(sequence: place.sequence) == place)
        let next = schedule.place(at: place.end)
        #expect(next.sequence == place.sequence + 1 && next.start == place.end)
        #expect(place.discontinuity - 3 * Int(rounds) == place.title + 1)
    }

    @Test func `numbers are contiguous over a thousand segments, years after the start`() {
        let schedule = ChannelSchedule(titles: titles([[12, 12, 3], [7], [12]]))
        var place = schedule.place(at: ChannelTime(microseconds: 56 * Self.year))
        for _ in 0..<1000 {
            let next = schedule.place(at: place.end)
            #expect(next.sequence == place.sequence + 1)
            #expect(next.discontinuity == place.discontinuity + (next.startsDiscontinuity ? 1 : 0))
            place = next
        }
    }

    @Test(arguments: [Int.min, -1, Int.max])
    func `out-of-range numbers have no segment`(sequence: Int) {
        #expect(ChannelSchedule(titles: titles([[12]])).place(sequence: sequence) == nil)
    }

    @Test func `a change continues the numbers after the segments that clients may await`() throws {
        var programme = channel([[12, 12], [12]])
        let time = ChannelTime(microseconds: Self.year + 1)
        let before = (0..<3).map { programme.entry(sequence: programme.entry(at: time).place.sequence + $0) }
        programme.change(to: titles([[4], [5, 6]]), name: "b", at: time)
        #expect(programme.eras.map(\.name) == ["a", "b"])
        #expect((0..<3).map { programme.entry(sequence: programme.entry(at: time).place.sequence + $0) } == before)
        var entry = try #require(before[0])
        for _ in 0..<20 {
            let next = programme.entry(at: entry.place.end)
            #expect(next.place.start == entry.place.end)
            #expect(next.place.sequence == entry.place.sequence + 1)
            #expect(next.place.discontinuity == entry.place.discontinuity + (next.place.startsDiscontinuity ? 1 : 0))
            #expect(programme.entry(sequence: next.place.sequence) == next)
            entry = next
        }
        #expect(entry.era == 1)
    }

    @Test func `a time has the form of ISO 8601`() {
        #expect(ChannelTime(microseconds: 1_700_000_000_123_999).text == "2023-11-14T22:13:20.123Z")
        #expect(ChannelTime(milliseconds: .max) <= ChannelTime(microseconds: .max))
        #expect(ChannelTime(milliseconds: -5) == .epoch)
    }
}
