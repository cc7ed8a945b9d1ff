/// Where the frames of a packet of AMR begin: containers put several into one, and libav's decoders take the first
/// only.
///
/// Each frame begins with a byte that says how long it is (RFC 4867, section 5.3).
enum AMRFrames {
    /// Bytes of a frame, the head included, by its frame type; 1 where it carries nothing.
    private static let narrow = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]
    private static let wide = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]

    /// The frames of a packet; the last one takes what is left.
    ///
    /// - Parameters:
    ///   - bytes: The packet's bytes.
    ///   - isWide: True if it is AMR-WB.
    /// - Returns: The places of the frames in the packet, none of them empty.
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
    /// The packet's frames of AMR as packets of their own; the packet itself where it holds one.
    func framesOfAMR(isWide: Bool) -> [Packet] {
        let ranges = withBytes { AMRFrames.ranges($0, isWide: isWide) }
        guard ranges.count > 1 else { return [self] }
        return ranges.enumerated().map { number, range in
            let part = Packet(bytes: withBytes { [UInt8]($0[range]) }, stream: streamIndex)
            part.position = position
            // Time is known where the packet begins; the decoder's samples say how it goes on.
            if number == 0 {
                part.pts = pts
                part.dts = dts
            }
            return part
        }
    }
}
