import SegueBase
import Testing

@testable import SeguePackager

@Suite struct `A packed list of packets` {
    static func packet(_ number: Int, _ random: inout SeededRandom) -> IndexedPacket {
        let odd = number % 97 == 0
        let dts = odd ? IndexedPacket.unknown : Int64(number) * 1001 + Int64.random(in: 0...3, using: &random)
        return IndexedPacket(
            rawPTS: number % 53 == 0 ? IndexedPacket.unknown : Int64(number) * 1001 + 2002,
            pts: number % 31 == 0 ? .max : Int64(number) * 1001 - 5,
            dts: dts,
            duration: 1001,
            position: number % 211 == 0 ? -1 : Int64(number) * 5_000_000_000,
            size: number % 19 == 0 ? .max : Int32.random(in: 1...90000, using: &random),
            fingerprint: UInt32.random(in: 0...(.max), using: &random),
            isKey: number % 12 == 0,
            isDiscarded: number % 7 == 0,
            isHidden: number % 5 == 0,
            epoch: Int32(number / 300)
        )
    }

    static func film(_ number: Int) -> IndexedPacket {
        let dts = Int64(number) * 512 - 1024
        let pts = dts + Int64(number % 3) * 1024
        let size = Int32(5000 + number * 37 % 9000)
        return IndexedPacket(
            rawPTS: pts,
            pts: pts,
            dts: dts,
            duration: 512,
            position: Int64(number) * 9000,
            size: size,
            fingerprint: 0,
            isKey: number % 48 == 0,
            isDiscarded: false,
            epoch: 0
        )
    }

    @Test(arguments: [0, 1, 127, 128, 129, 1000])
    func `returns its input, including extreme values`(count: Int) {
        var random = SeededRandom(seed: 7)
        let packets = (0..<count).map { Self.packet($0, &random) }
        let list = PacketList(packets)
        #expect(list.count == count)
        #expect(Array(list) == packets)
        #expect(list.indices.map { list.size(at: $0) } == packets.map { Int($0.size) })
        #expect(list.indices.reversed().map { list[$0] } == packets.reversed())
        #expect(list.keyPlaces == packets.indices.filter { packets[$0].isKey })
        #expect(!list.lacksPresentationTimes)
        #expect(PacketList(blocks: list.blocks, columns: list.columns, rest: list.rest).elementsEqual(packets))
    }

    @Test func `takes about ten bytes per video packet`() {
        let packets = (0..<12_800).map(Self.film)
        let list = PacketList(packets)
        #expect(list.elementsEqual(packets))
        #expect(list.columns.count <= packets.count * 9)
    }

    @Test(arguments: [5, 200, 299])
    func `detects a missing presentation time`(place: Int) {
        var packets = (0..<300).map(Self.film)
        packets[place].pts = IndexedPacket.unknown
        #expect(PacketList(packets).lacksPresentationTimes)
        packets[place].dts = IndexedPacket.unknown
        #expect(PacketList(packets).lacksPresentationTimes)
    }

    @Test func `detects evenly spaced blocks`() {
        var packets = (0..<512).map { number in
            var packet = Self.film(number)
            (packet.pts, packet.isKey, packet.epoch) = (packet.dts, true, 2)
            return packet
        }
        packets[300].pts += 1
        let list = PacketList(packets)
        #expect(list.evenBlock(at: 128)?.start == packets[128].pts && list.evenBlock(at: 128)?.step == 512)
        #expect(list.evenBlock(at: 128)?.epoch == 2)
        #expect(list.evenBlock(at: 256) == nil && list.evenBlock(at: 64) == nil && list.evenBlock(at: 512) == nil)
    }
}
