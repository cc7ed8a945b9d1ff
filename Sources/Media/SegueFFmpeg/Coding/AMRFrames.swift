/// A splitter of AMR packets: containers store several frames per packet, and libav decodes only the first.
///
/// Each frame begins with a byte that implies its length (RFC 4867, section 5.3).
enum AMRFrames {
    /// The frame size in bytes, header included, by frame type; 1 for frames without data.
    private static let narrow = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]
    private static let wide = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]

    /// Returns the nonempty byte ranges of the frames; the last one extends to the end of the packet.
    static func ranges(_ bytes: UnsafeRawBufferPointer, isWide: Bool) -> [Range<Int>] {
        let lengths = isWide ? wide : narrow
        var result: [Range<Int>] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + lengths[Int(bytes[place] >> 3 & 15)])
            result.append(place..<end)
            place = end
        }
        return result
    }
}

extension Packet {
    /// The packet's AMR frames as separate packets; the packet itself if it holds one.
    func framesOfAMR(isWide: Bool) -> [Packet] {
        let ranges = withBytes { AMRFrames.ranges($0, isWide: isWide) }
        guard ranges.count > 1 else { return [self] }
        return ranges.enumerated().map { number, range in
            let part = Packet(bytes: withBytes { [UInt8]($0[range]) }, stream: streamIndex)
            part.position = position
            // Only the first frame has a timestamp; the decoder derives the others.
            if number == 0 {
                part.pts = pts
                part.dts = dts
            }
            return part
        }
    }
}
