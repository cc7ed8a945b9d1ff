/// A detector of packets that decode to no displayed frame.
enum HiddenVideo {
    /// True if a packet only changes what later frames refer to.
    static func isHidden(_ bytes: UnsafeRawBufferPointer, codec: String) -> Bool {
        guard let first = bytes.first else { return false }
        switch codec {
        // RFC 6386, 9.1: the show_frame bit.
        case "vp8": return first & 0x10 == 0
        case "vp9": return isHiddenVP9(bytes, first)
        default: return false
        }
    }

    /// Parses the uncompressed header: marker, profile, show_existing_frame, frame type, show_frame.
    private static func isHiddenVP9(_ bytes: UnsafeRawBufferPointer, _ first: UInt8) -> Bool {
        guard first >> 6 == 2 else { return false }
        // A superframe ends with a copy of its marker; its last frame is displayed.
        if let last = bytes.last, last >> 5 == 6 {
            let sizes = (Int(last >> 3 & 3) + 1) * (Int(last & 7) + 1) + 2
            if bytes.count > sizes, bytes[bytes.count - sizes] == last { return false }
        }
        // Profile 3 has an additional reserved bit.
        let flags = first >> 4 & 3 == 3 ? first << 5 : first << 4
        return flags & 0x80 == 0 && flags & 0x20 == 0
    }
}
