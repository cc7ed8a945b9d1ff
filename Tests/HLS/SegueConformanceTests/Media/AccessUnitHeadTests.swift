import Testing

@testable import SegueConformance

@Suite struct `The first access unit of HEVC` {
    // IDR without and with leading frames, CRA, BLA with and without leading frames, and a trailing frame.
    @Test(
        arguments: [
            (20, true, false), (19, true, false), (21, true, true), (16, true, true), (18, true, false),
            (1, false, false),
        ] as [(UInt8, Bool, Bool)]
    )
    func `is a random access point by its type`(type: UInt8, isAccess: Bool, isOpen: Bool) {
        let bytes: [UInt8] = [0, 0, 0, 3, 35 << 1, 1, 0x50, 0, 0, 0, 3, type << 1, 1, 0x80]
        let head = AccessUnitHead(lengths: bytes[...], isHEVC: true)
        #expect(head.isIDR == isAccess && head.isOpen == isOpen)
    }
}
