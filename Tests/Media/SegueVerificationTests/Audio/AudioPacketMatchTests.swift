import Testing

@testable import SegueVerification

@Suite struct `Packets of copied audio` {
    /// Six packets of 1024 samples at 48 kHz, three of them before an edit 832 samples into the fourth.
    private let source = (0..<6).map { (number: Int) -> AudioPacket in
        let samples = Double(number * 1024 - 3904)
        var packet = AudioPacket(checksum: UInt64(100 + number), time: samples / 48000)
        packet.length = 1024.0 / 48000
        packet.isHidden = number < 3
        packet.skippedAtStart = number == 0 ? 3904 : 0
        packet.skippedAtEnd = number == 5 ? 100 : 0
        return packet
    }

    private func match(_ source: [AudioPacket], _ delivered: [AudioPacket]) -> AudioPacketMatch? {
        let moved = delivered.map { packet in
            var packet = packet
            packet.time = packet.time.map { $0 + 10 }
            return packet
        }
        return AudioPacketMatch(source: source, delivered: moved, frame: 1024, moved: 10)
    }

    @Test(arguments: 0...3) func `any number of inaudible packets may be omitted`(left: Int) {
        let found = match(source, Array(source[left...]))
        #expect(found?.left == left)
        #expect(found?.leading == 3904 - left * 1024)
        #expect(found?.trailing == 100)
        #expect(found?.measured.allSatisfy { abs($0.offset - 10) < 1e-9 } == true)
    }

    @Test func `an audible packet may not be omitted`() {
        #expect(match(source, Array(source[4...])) == nil)
        #expect(match(source, Array(source[1..<5])) == nil)
        #expect(match(source, Array(source[..<4]) + source[5...]) == nil)
    }

    @Test func `none may be repeated, moved, or altered`() {
        #expect(match(source, Array(source[..<5]) + source[4...]) == nil)
        #expect(match(source, [source[0], source[1], source[2], source[4], source[3], source[5]]) == nil)
        var other = source
        other[4].checksum = 7
        #expect(match(source, other) == nil)
        #expect(match(source, []) == nil)
    }

    @Test func `trailing inaudible packets may be missing`() {
        var longer = source
        for number in 6..<9 { longer.append(AudioPacket(checksum: UInt64(100 + number), isHidden: true)) }
        #expect(match(longer, Array(longer[2..<6]))?.trailing == 100)
        #expect(match(longer, Array(longer[2...]))?.trailing == 3 * 1024 + 100)
    }

    @Test func `equal packets are matched by time`() {
        let silence = source.map { packet in
            var packet = packet
            packet.checksum = 1
            return packet
        }
        #expect(match(silence, Array(silence[2...]))?.left == 2)
        // An inaudible one may be missing at either end.
        let longer = silence + [AudioPacket(checksum: 1, isHidden: true)]
        #expect(match(longer, Array(longer[2..<6]))?.left == 2)
        #expect(match(longer, Array(longer[3..<7]))?.left == 3)
    }

    @Test func `hidden or discarded packets in the middle require decoding`() {
        var holed = source
        holed[4].isHidden = true
        #expect(match(holed, holed) == nil)
        var dropped = source
        dropped[4].skippedAtStart = 10
        #expect(match(dropped, dropped) == nil)
    }
}
