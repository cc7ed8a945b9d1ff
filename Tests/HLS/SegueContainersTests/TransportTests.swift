import SegueContainers
import SegueTestSupport
import Testing

@Suite struct `Transport packets` {
    private let big = SegmentBytes.big

    @Test func `packets have a PID, a counter, a payload, and flags`() throws {
        let field: [UInt8] = [7, 0x90] + big(5 << 7, 5) + big(0, 1)
        let payload = [UInt8](repeating: 0xAB, count: 176)
        let packet = try #require(TransportPacket(([0x47] + big(0x4100, 2) + [0x3B] + field + payload)[...]))
        #expect(packet.pid == 0x100 && packet.counter == 11 && packet.startsUnit && !packet.isDamaged)
        #expect(packet.marksBreak && packet.clock == 5)
        #expect(packet.payload?.count == 176)
    }

    @Test func `a packet with an adaptation field longer than itself has no payload`() throws {
        let bytes = [0x47] + big(0x100, 2) + [0x30, 200] + [UInt8](repeating: 0xFF, count: 183)
        let packet = try #require(TransportPacket(bytes[...]))
        #expect(packet.payload == nil && packet.clock == nil && !packet.marksBreak)
        #expect(TransportPacket([0x47, 0, 0]) == nil)
    }

    @Test func `a packet that begins a PES packet has its presentation and decoding times`() throws {
        let head = try #require(
            PESHead((SegmentBytes.pes(0xE0, presentation: (1 << 33) - 1, decode: 9000) + [1, 2])[...])
        )
        #expect(head.isMarked && head.presentation == (1 << 33) - 1 && head.decode == 9000)
        #expect(head.content == [1, 2])
        let plain = try #require(PESHead(SegmentBytes.pes(0xC0, presentation: 3)[...]))
        #expect(plain.presentation == 3 && plain.decode == 3)
        let untimed = try #require(PESHead([0, 0, 1, 0xC0, 0, 0, 0x80, 0, 200]))
        #expect(untimed.presentation == nil && untimed.decode == nil && untimed.content == nil)
        #expect(PESHead([0, 0, 2, 0xC0, 0, 0, 0x80, 0, 0]) == nil)
    }

    @Test func `packets carry tables in parts`() throws {
        let programs = [(1, 0x20), (0, 0x10), (2, 0x30)]
        let section = SegmentBytes.section(0, programs.flatMap { big($0.0, 2) + big(0xE000 | $0.1, 2) })
        var assembler = SectionAssembler()
        #expect(assembler.add(section[..<9], startsUnit: true) == nil)
        let rest = assembler.add(section[9...], startsUnit: false)
        let whole = try #require(rest)
        #expect(ProgramAssociation.maps(whole) == [0x20, 0x30])
        #expect(ProgramAssociation.maps(whole.prefix(14)) == [0x20])
        #expect(assembler.add(section[9...], startsUnit: false) == nil)
        let map = SegmentBytes.programMap([(0x1B, 0x100, []), (0x0F, 0x101, [0x0A, 0])])
        let streams = try #require(ProgramMap(map.dropFirst()))
        #expect(Array(streams).map(\.type) == [0x1B, 0x0F])
        #expect(ProgramMap(section.dropFirst()) == nil)
    }

    private static let last = TransportTime.wrap - 1
    private static let half = TransportTime.wrap / 2
    private static let pairs: [(from: Int64, to: Int64, distance: Int64)] = [
        (0, 1, 1), (1, 0, -1), (last, 1, 2), (1, last, -2), (0, half, -half),
    ]

    @Test(arguments: pairs)
    func `the distance of two times is the shorter way around the clock`(from: Int64, to: Int64, distance: Int64) {
        #expect(TransportTime.distance(from: from, to: to) == distance)
    }
}
