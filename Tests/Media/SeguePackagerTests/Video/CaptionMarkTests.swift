import Testing

@testable import SeguePackager

@Suite struct `Captions in frames` {
    private static let mark: [UInt8] = [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]

    @Test func `are found if there are packets of them`() {
        let head: [UInt8] = [0, 0, 0, 30, 0x06, 0x04, 0x11]
        #expect(CaptionMark.isIn(head + Self.mark + [0xC2, 0xFF, 0xFC, 0x94, 0x20, 0x80]))
        #expect(!CaptionMark.isIn(head + Self.mark + [0xC0, 0xFF]))
        #expect(!CaptionMark.isIn(head + Self.mark + [0x02, 0xFF]))
        #expect(!CaptionMark.isIn(head + Self.mark))
        #expect(!CaptionMark.isIn([]))
    }
}
