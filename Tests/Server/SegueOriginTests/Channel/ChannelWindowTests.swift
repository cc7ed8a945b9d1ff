import SegueBase
import SegueOrigin
import SeguePlaylists
import Testing

@Suite struct ChannelWindowTests {
    /// A time long after the start, at the start of the first of two titles: 12 parts of each segment, 5.9 s.
    private static let counts = [[12, 12, 12, 12], [12, 12, 5]]
    private let programme = channel(Self.counts)

    private var begin: ChannelTime {
        let schedule = programme.eras[0].schedule
        return ChannelTime(microseconds: 1_700_000_000_000_000 / schedule.round * schedule.round)
    }

    private func window(_ microseconds: Int64) -> ChannelWindow {
        ChannelWindow(programme, at: begin + microseconds)
    }

    @Test func `parts appear one by one, and the segment with its last part`() {
        let sequence = window(0).open.place.sequence
        #expect(window(0).last.sequence == sequence - 1)
        #expect(window(499_999).openParts == 0)
        #expect(window(500_000).openParts == 1)
        #expect(window(500_000).last == (sequence, 0))
        #expect(window(5_899_999).last == (sequence, 10))
        #expect(window(5_900_000).last == (sequence, 11))
        #expect(window(5_900_000).segments.last?.place.sequence == sequence)
        #expect(window(5_900_000).open.place.sequence == sequence + 1)
    }

    @Test func `a playlist lists twelve target durations and advances`() {
        var last: ChannelWindow?
        for step in 0..<400 {
            let window = self.window(Int64(step) * 250_000)
            let segments = window.segments
            let length = segments.reduce(0) { $0 + $1.place.end.microseconds - $1.place.start.microseconds }
            #expect(length > 66_000_000 && length < 79_000_000)
            #expect(zip(segments, segments.dropFirst()).allSatisfy { $1.place.sequence == $0.place.sequence + 1 })
            if let last {
                #expect(segments[0].place.sequence >= last.segments[0].place.sequence)
                #expect(window.edge >= last.edge)
            }
            last = window
        }
    }

    @Test func `a reload is due exactly when the part is available`() throws {
        let sequence = window(0).open.place.sequence
        func answer(_ part: String?, _ time: Int64, _ sequence: Int) throws -> ChannelWindow.Availability {
            window(time).availability(try DeliveryDirectives(sequence: "\(sequence)", part: part))
        }
        #expect(try answer("2", 1_000_000, sequence) == .later(begin + 1_500_000))
        #expect(try answer("2", 1_499_999, sequence) == .later(begin + 1_500_000))
        #expect(try answer("2", 1_500_000, sequence) == .there)
        #expect(try answer(nil, 5_899_999, sequence) == .later(begin + 5_900_000))
        #expect(try answer(nil, 5_900_000, sequence) == .there)
        // Old content is available at once.
        #expect(try answer("0", 0, 0) == .there)
        // The part after the last one is the first of the next segment.
        #expect(try answer("12", 4_000_000, sequence) == .later(begin + 6_400_000))
        #expect(try answer("0", 4_000_000, sequence + 1) == .later(begin + 6_400_000))
    }

    @Test func `requests too far ahead are rejected, and waits are limited to three target durations`() throws {
        func answer(_ part: String?, _ ahead: Int) throws -> ChannelWindow.Availability {
            let window = self.window(600_000)
            let asked = try DeliveryDirectives(sequence: "\(window.last.sequence + ahead)", part: part)
            return window.availability(asked)
        }
        #expect(try answer(nil, 3) == .no)
        #expect(try answer(nil, 2) == .later(begin + 17_700_000))
        #expect(try answer("6", 0) == .later(begin + 3_500_000))
        #expect(try answer("7", 0) == .no)
        #expect(try answer(nil, 1 << 50) == .no)
    }

    @Test(
        arguments: [
            ("99999999999999999999", nil), ("-1", nil), ("", nil), ("1e3", nil), ("+1", nil), ("9007199254740993", nil),
            ("1", "-1"), ("1", "x"), ("1", ""), (nil, "1"), ("1", "99999999999999999999"), (" 1", nil), ("١", nil),
        ] as [(String?, String?)]
    )
    func `malformed numbers are rejected`(sequence: String?, part: String?) {
        #expect(throws: DeliveryDirectives.Refusal.self) { try DeliveryDirectives(sequence: sequence, part: part) }
    }

    @Test func `the next part can be awaited, later ones cannot`() throws {
        let window = self.window(1_200_000)
        let open = window.open
        #expect(window.availability(ofPart: 1, of: open) == .there)
        #expect(window.availability(ofPart: 2, of: open) == .later(begin + 1_500_000))
        #expect(window.availability(ofPart: 3, of: open) == .no)
        #expect(window.availability(ofPart: 12, of: open) == .no)
        #expect(window.availability(ofPart: -1, of: open) == .no)
        #expect(window.availability(ofPart: nil, of: open) == .no)
        let next = try #require(programme.entry(sequence: open.place.sequence + 1))
        #expect(window.availability(ofPart: 0, of: next) == .no)
    }

    @Test func `unlisted segments stay available for as long as they were listed`() throws {
        let window = self.window(0)
        let oldest = try #require(window.segments.first)
        let gone = try #require(programme.entry(sequence: oldest.place.sequence - 3))
        #expect(window.availability(ofPart: nil, of: gone) == .there)
        #expect(window.availability(ofPart: 0, of: gone) == .there)
        let old = try #require(programme.entry(sequence: oldest.place.sequence - 30))
        #expect(window.availability(ofPart: nil, of: old) == .no)
    }
}
