import Testing

@testable import SeguePackager

@Suite struct `Second fields of frames in a transport stream` {
    /// Packets of 25 frames per second with these presentation times, in fields.
    private static func packets(_ fields: [Int64?]) -> PacketList {
        PacketList(
            fields.enumerated().map { number, time in
                IndexedPacket(
                    rawPTS: time.map { $0 * 1800 } ?? IndexedPacket.unknown,
                    pts: time.map { $0 * 1800 } ?? IndexedPacket.unknown,
                    dts: Int64(number) * 1800,
                    duration: 1800,
                    position: 0,
                    size: 1,
                    fingerprint: 0,
                    isKey: number == 0,
                    isDiscarded: false,
                    epoch: 0
                )
            }
        )
    }

    @Test(
        arguments: [
            // Late by some frames, unknown, and right.
            [4, 13, 0, 1, 2, 3, 10, 19, 6, 7, 8, 9], [4, nil, 0, nil, 2, nil, 10, nil, 6, nil, 8, nil],
            [4, 5, 0, 1, 2, 3, 10, 11, 6, 7, 8, 9],
        ] as [[Int64?]]
    )
    func `are shown right behind the first`(times: [Int64?]) {
        let mended = FieldTimes.mended(Self.packets(times), seconds: [1, 3, 5, 7, 9, 11])
        #expect(mended.map { $0.pts / 1800 } == [4, 5, 0, 1, 2, 3, 10, 11, 6, 7, 8, 9])
    }

    @Test func `keep their times among frames`() {
        let times: [Int64?] = [4, 8, 0, 2, 6]
        #expect(FieldTimes.mended(Self.packets(times), seconds: []).map { $0.pts / 1800 } == [4, 8, 0, 2, 6])
    }
}
