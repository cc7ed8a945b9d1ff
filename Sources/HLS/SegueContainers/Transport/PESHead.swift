/// The head of a PES packet (ISO/IEC 13818-1, 2.4.3.6).
package struct PESHead {
    /// Whether it is marked as the head of a stream of MPEG-2 and what came after it.
    package let isMarked: Bool

    /// When what it carries is shown, in ticks of ``TransportTime``; nil where it does not say.
    package let presentation: Int64?

    /// When it is decoded; where only the other is said, that.
    package let decode: Int64?

    /// What follows it in the packet; nil where the head does not end in it.
    package let content: ArraySlice<UInt8>?

    /// Reads the head with which a payload begins; nil where none does.
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
