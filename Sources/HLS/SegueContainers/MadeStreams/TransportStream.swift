/// A minimal transport stream with visible tracks and one media packet in each.
package enum TransportStream {
    /// A segment.
    ///
    /// - Parameters:
    ///   - hasVideo: True to announce a video track.
    ///   - hasAudio: True to announce an audio track.
    ///   - size: The size in bytes, rounded down to whole packets.
    ///   - hasMedia: True if the tracks have media.
    ///   - time: The presentation time in 90 kHz ticks.
    /// - Returns: The bytes of the stream.
    package static func segment(
        hasVideo: Bool,
        hasAudio: Bool,
        size: Int,
        hasMedia: Bool = true,
        at time: UInt64 = 0
    ) -> [UInt8] {
        var streams: [UInt8] = []
        if hasVideo { streams += [0x1B, 0xE1, 0x00, 0xF0, 0x00] }
        if hasAudio { streams += [0x0F, 0xE1, 0x01, 0xF0, 0x00] }
        let first: UInt8 = hasVideo ? 0x00 : 0x01
        var bytes = packet(pid: 0, section(table: 0x00, number: 1, [0x00, 0x01, 0xF0, 0x00]))
        bytes += packet(pid: 0x1000, section(table: 0x02, number: 1, [0xE1, first, 0xF0, 0x00] + streams))
        if hasMedia, hasVideo { bytes += media(pid: 0x100, stream: 0xE0, at: time) }
        if hasMedia, hasAudio { bytes += media(pid: 0x101, stream: 0xC0, at: time) }
        let padding = max(0, size - bytes.count) / 188 * 188, begin = bytes.count
        bytes += Array(repeating: 0xFF, count: padding)
        for place in stride(from: begin, to: begin + padding, by: 188) {
            // A null packet.
            (bytes[place], bytes[place + 1], bytes[place + 3]) = (0x47, 0x1F, 0x10)
        }
        return bytes
    }

    private static func section(table: UInt8, number: UInt16, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 9
        var bytes: [UInt8] = [table, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF)]
        bytes += [UInt8(number >> 8), UInt8(number & 0xFF), 0xC1, 0x00, 0x00]
        bytes += body
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            checksum ^= UInt32(byte) << 24
            for _ in 0..<8 { checksum = checksum & 0x8000_0000 != 0 ? checksum << 1 ^ 0x04C1_1DB7 : checksum << 1 }
        }
        return bytes + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
    }

    /// Returns the start of a frame with its presentation time (ISO/IEC 13818-1, 2.4.3.6).
    private static func media(pid: UInt16, stream: UInt8, at time: UInt64) -> [UInt8] {
        let head: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10]
        // 33 bits in three parts, each with a bit behind it that is always set.
        let part = { (shift: UInt64) in UInt16(truncatingIfNeeded: time >> shift & 0x7FFF) << 1 | 1 }
        let stamp =
            [0x21 | UInt8(truncatingIfNeeded: time >> 29 & 0x0E)]
            + [part(15), part(0)].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let frame: [UInt8] = [0, 0, 1, stream, 0, 0, 0x80, 0x80, 5] + stamp
        return head + frame + Array(repeating: 0, count: 188 - head.count - frame.count)
    }

    private static func packet(pid: UInt16, _ section: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10, 0x00]
        return head + section + Array(repeating: 0xFF, count: 188 - head.count - section.count)
    }
}
