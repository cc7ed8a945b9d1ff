/// The header of a PES packet (ISO/IEC 13818-1, 2.4.3.6).
package struct PESHead {
    /// True if it has the marker bits of MPEG-2 and later.
    package let isMarked: Bool

    /// The presentation time in ticks of ``TransportTime``; nil if there is none.
    package let presentation: Int64?

    /// The decode time; the presentation time if only that is given.
    package let decode: Int64?

    /// The payload in the packet; nil if the header continues in the next packet.
    package let content: ArraySlice<UInt8>?

    /// Parses the header at the start of a payload; nil if there is none.
    package init?(_ payload: ArraySlice<UInt8>) {
        var reader = ByteReader(payload)
        guard reader.integer(3) == 1, reader.skip(3), let marks = reader.byte(), let flags = reader.byte(),
            let length = reader.byte()
        else { return nil }
        isMarked = marks & 0xC0 == 0x80
        var behind = reader
        content = behind.skip(length) ? behind.rest() : nil
        presentation = flags & 0x80 != 0 ? Self.time(&reader) : nil
        decode = presentation != nil && flags & 0x40 != 0 ? Self.time(&reader) ?? presentation : presentation
    }

    private static func time(_ reader: inout ByteReader) -> Int64? {
        guard let high = reader.byte(), let middle = reader.integer(2), let low = reader.integer(2) else { return nil }
        return Int64(high >> 1 & 7) << 30 | Int64(middle >> 1) << 15 | Int64(low >> 1)
    }
}
