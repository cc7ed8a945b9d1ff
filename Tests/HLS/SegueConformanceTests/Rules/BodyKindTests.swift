import SegueConformance
import Testing

@Suite struct `The kind of a body` {
    @Test(arguments: [0x7B, 0x5B, 0x47, 0xFF, 0x0B] as [UInt8])
    func `one byte of an encrypted segment is no evidence`(first: UInt8) {
        let bytes = [first] + (0..<4000).map { UInt8(truncatingIfNeeded: ($0 * 167 + 41) ^ ($0 >> 3)) }
        #expect(BodyKind(bytes) == .unknown)
    }

    @Test(
        arguments: [
            ("{\"error\": \"gone\"}\n", .json), ("[1, 2]", .json), ("{}", .json), ("{ no end", .unknown),
            ("<!DOCTYPE html><p>", .html),
        ] as [(String, BodyKind)]
    )
    func `an error page is recognized`(text: String, kind: BodyKind) {
        #expect(BodyKind(Array(text.utf8)) == kind)
    }

    @Test func `media are recognized`() {
        let frame: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x0C, 0x9F, 0xFC] + [UInt8](repeating: 0, count: 93)
        #expect(BodyKind(frame) == .packedAudio)
        #expect(BodyKind(frame + frame) == .packedAudio)
        let packet: [UInt8] = [0x47] + [UInt8](repeating: 0xFF, count: 187)
        #expect(BodyKind(packet) == .transportStream)
        #expect(BodyKind(packet + packet.dropLast(8)) == .transportStream)
        #expect(BodyKind([]) == .empty)
    }
}
