/// The first sample entry of a track (ISO/IEC 14496-12, 8.5.2).
package struct SampleEntry {
    /// The kind of the fixed fields before the boxes of an entry.
    package enum Fields: Sendable {
        case visual
        case audio
        /// The fields common to all entries.
        case other
    }

    /// The format, or that of the encryption for encrypted samples.
    package let type: FourCC

    private let body: ArraySlice<UInt8>

    /// Parses the first entry of an `stsd`; nil if there is none.
    package init?(_ table: ArraySlice<UInt8>) {
        var boxes = BoxReader(table.dropFirst(8))
        guard let entry = boxes.next() else { return nil }
        (type, body) = (entry.type, entry.body)
    }

    /// The width and height of a video entry in pixels; nil if it is truncated.
    package var frameSize: (width: Int, height: Int)? {
        var reader = ByteReader(body)
        guard reader.skip(24), let width = reader.integer(2), let height = reader.integer(2) else { return nil }
        return (width, height)
    }

    /// The channel count of an audio entry; nil if it is truncated.
    package var channelCount: Int? {
        var reader = ByteReader(body)
        return reader.skip(16) ? reader.integer(2) : nil
    }

    /// Returns the boxes after the fixed fields.
    package func boxes(behind fields: Fields) -> ArraySlice<UInt8> {
        guard fields == .audio else { return body.dropFirst(fields == .visual ? 78 : 8) }
        var reader = ByteReader(body)
        // QuickTime's versions 1 and 2 have more fields; version 1's are also in files that say they are ISO.
        let version = reader.skip(8) ? reader.integer(2) : nil
        let boxes = body.dropFirst(28 + (version == 1 ? 16 : version == 2 ? 36 : 0))
        return BoxReader.first("wave", in: boxes) ?? boxes
    }

    /// Returns the original format of encrypted samples; nil if not stated.
    package static func original(in boxes: ArraySlice<UInt8>) -> FourCC? {
        guard let format = BoxReader.first(["sinf", "frma"], in: boxes) else { return nil }
        var reader = ByteReader(format)
        return reader.code()
    }
}

/// The codec in an elementary stream descriptor (`esds`) (ISO/IEC 14496-1, 7.2.6).
package struct ElementaryDescriptor: Sendable, Equatable {
    /// The registered object type.
    package let objectType: Int

    /// The first byte of the decoder configuration; nil if there is none.
    package let firstOfDecoder: Int?

    /// The decoder configuration; nil if there is none.
    package let decoder: ArraySlice<UInt8>?

    /// Parses a body; nil without an object type.
    package init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard reader.skip(4), Self.enter(3, &reader), reader.skip(2), let flags = reader.byte() else { return nil }
        if flags & 0x80 != 0 { reader.skip(2) }
        if flags & 0x40 != 0, let length = reader.byte() { reader.skip(length) }
        if flags & 0x20 != 0 { reader.skip(2) }
        guard Self.enter(4, &reader), let type = reader.byte() else { return nil }
        objectType = type
        decoder = reader.skip(12) && Self.enter(5, &reader) ? reader.rest() : nil
        firstOfDecoder = decoder?.first.map(Int.init)
    }

    /// Skips the tag and length of a descriptor.
    private static func enter(_ tag: Int, _ reader: inout ByteReader) -> Bool {
        guard reader.byte() == tag else { return false }
        for _ in 0..<4 {
            guard let byte = reader.byte() else { return false }
            if byte & 0x80 == 0 { return true }
        }
        return false
    }
}
