import SegueTestSupport
import Testing

@testable import SegueContainers

@Suite struct `What stands in boxes` {
    private let big = SegmentBytes.big

    @Test func `a media header has its time scale, duration, and language in both versions`() throws {
        let short = try #require(ClockHead((big(0, 12) + big(600, 4) + big(1200, 4) + big(0x15C7, 2))[...]))
        #expect(short.scale == 600 && short.duration == 1200 && short.language == "eng")
        let long = try #require(
            ClockHead((big(1, 1) + big(0, 19) + big(90_000, 4) + big(1 << 40, 8) + big(0x55C4, 2))[...])
        )
        #expect(long.scale == 90_000 && long.duration == 1 << 40 && long.language == nil)
    }

    @Test func `an unknown, absurd, or zero clock gives no duration`() throws {
        let open = big(0, 12) + big(600, 4) + big(0xFFFF_FFFF, 4)
        #expect(try #require(ClockHead(open[...])).duration == nil)
        let absurd = big(1, 1) + big(0, 19) + big(600, 4) + big(-1, 8)
        #expect(try #require(ClockHead(absurd[...])).duration == nil)
        #expect(ClockHead((big(0, 12) + big(0, 4))[...]) == nil)
        let cut = big(1, 1) + big(0, 19) + big(600, 4) + big(0x15C7, 2)
        #expect(try #require(ClockHead(cut[...])).language == nil)
    }

    @Test func `edits are signed, and end with their box`() throws {
        let list = try #require(
            EditList(
                (big(0, 4) + big(3, 4) + big(500, 4) + big(-1, 4) + big(0x10000, 4) + big(900, 4) + big(7, 4))[...]
            )
        )
        #expect(list.count == 3)
        #expect(Array(list) == [EditList.Edit(duration: 500, start: -1, rate: 0x10000)])
        let long = try #require(
            EditList((big(1, 1) + big(0, 3) + big(1, 4) + big(5, 8) + big(-9, 8) + big(0x10000, 4))[...])
        )
        #expect(Array(long).map(\.start) == [-9])
    }

    private static let tables: [(type: FourCC, countPlace: Int, size: Int)] = [
        ("stts", 4, 8), ("ctts", 4, 8), ("stsc", 4, 12), ("stsz", 8, 4), ("stco", 4, 4), ("co64", 4, 8), ("stss", 4, 4),
    ]

    @Test(arguments: tables)
    func `a table has as many entries as its bytes allow`(type: FourCC, countPlace: Int, size: Int) throws {
        let body = big(0, countPlace) + big(3, 4) + [UInt8](repeating: 0, count: 2 * size + 1)
        let table = try #require(BoxTable(type, body.prefix(BoxTable.headLength)))
        #expect(table.countPlace == countPlace && table.start == countPlace + 4 && table.entrySize == size)
        #expect(table.count == 3 && table.entries(inBody: Int64(body.count)) == 2)
        #expect(table.entries(inBody: 0) == 0 && table.entries(inBody: .max) == 3)
    }

    @Test func `malformed sample tables are refused`() {
        #expect(BoxTable("free", big(0, 12)[...]) == nil)
        #expect(BoxTable("stsz", big(0, 8)[...]) == nil)
    }

    @Test func `a track run has signed offsets from version 1 on`() throws {
        let body =
            big(0x0100_0901, 4) + big(3, 4) + big(-20, 4) + big(10, 4) + big(-5, 4) + big(11, 4) + big(6, 4)
            + big(12, 4)
        var run = try #require(TrackRun(body[...]))
        #expect(run.count == 3 && run.dataOffset == -20 && run.tellsDurations)
        #expect(run.next() == TrackRun.Sample(duration: 10, offset: -5))
        #expect(run.next() == TrackRun.Sample(duration: 11, offset: 6))
        #expect(run.next() == nil)
        var unsigned = try #require(TrackRun((big(0x800, 4) + big(1, 4) + big(-5, 4))[...]))
        #expect(unsigned.next() == TrackRun.Sample(duration: nil, offset: 0xFFFF_FFFB))
        var silent = try #require(TrackRun((big(0, 4) + big(0xFFFF_FFFF, 4))[...]))
        #expect(!silent.tellsSamples && silent.next() == nil)
    }

    @Test func `a descriptor is found behind fields of any length`() throws {
        let decoder = [UInt8(0x40)] + big(0, 12) + [5, 0x80, 0x02, 0x12, 0x10]
        let plain = big(0, 4) + [3, 25, 0, 1, 0, 4, 20] + decoder
        let found = try #require(ElementaryDescriptor(plain[...]))
        #expect(found.objectType == 0x40 && found.firstOfDecoder == 0x12)
        let others = big(0, 4) + [3, 25, 0, 1, 0xE0, 9, 9, 2, 8, 8, 7, 7, 4, 20, 0x6B]
        let other = try #require(ElementaryDescriptor(others[...]))
        #expect(other.objectType == 0x6B && other.firstOfDecoder == nil)
        #expect(ElementaryDescriptor(plain.prefix(10)) == nil)
    }
}
