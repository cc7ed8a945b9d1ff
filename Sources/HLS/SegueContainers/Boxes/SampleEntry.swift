/// The first sample entry of a track: how its samples are coded (ISO/IEC 14496-12, 8.5.2).
package struct SampleEntry {
    /// What the fixed fields are like that come before an entry's boxes.
    package enum Fields: Sendable {
        /// Those of pictures.
        case visual
        /// Those of sound.
        case audio
        /// None but those that all entries have.
        case other
    }

    /// The coding's name; of encrypted samples that of the encryption.
    package let type: FourCC

    private let body: ArraySlice<UInt8>

    /// Reads the first entry of an `stsd`; nil where there is none.
    package init?(_ table: ArraySlice<UInt8>) {
        var boxes = BoxReader(table.dropFirst(8))
        guard let entry = boxes.next() else { return nil }
        (type, body) = (entry.type, entry.body)
    }

    /// How many pixels an entry of pictures says that they are wide and high; nil where it is too short.
    package var pictureSize: (width: Int, height: Int)? {
        var reader = ByteReader(body)
        guard reader.skip(24), let width = reader.integer(2), let height = reader.integer(2) else { return nil }
        return (width, height)
    }

    /// How many channels an entry of sound says that it has; nil where it is too short.
    package var channelCount: Int? {
        var reader = ByteReader(body)
        return reader.skip(16) ? reader.integer(2) : nil
    }

    /// The boxes behind its fixed fields.
    package func boxes(behind fields: Fields) -> ArraySlice<UInt8> {
        guard fields == .audio else { return body.dropFirst(fields == .visual ? 78 : 8) }
        var reader = ByteReader(body)
        // QuickTime's versions 1 and 2 have more fields; version 1's are also in files that say they are ISO.
        let version = reader.skip(8) ? reader.integer(2) : nil
        let boxes = body.dropFirst(28 + (version == 1 ? 16 : version == 2 ? 36 : 0))
        return BoxReader.first("wave", in: boxes) ?? boxes
    }

    /// How the samples are coded beneath their encryption; nil where that is not said.
    package static func original(in boxes: ArraySlice<UInt8>) -> FourCC? {
        guard let format = BoxReader.first(["sinf", "frma"], in: boxes) else { return nil }
        var reader = ByteReader(format)
        return reader.code()
    }
}

/// What an elementary stream descriptor (`esds`) names (ISO/IEC 14496-1, 7.2.6).
package struct ElementaryDescriptor: Sendable, Equatable {
    /// The coding, as the registry of object types has it.
    package let objectType: Int

    /// The first byte of what the decoder is told; nil where it is told nothing.
    package let firstOfDecoder: Int?

    /// What the decoder is told; nil where it is told nothing.
    package let decoder: ArraySlice<UInt8>?

    /// Reads a body; nil where it names no coding.
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

    /// Goes behind the tag and the length of a descriptor.
    private static func enter(_ tag: Int, _ reader: inout ByteReader) -> Bool {
        guard reader.byte() == tag else { return false }
        for _ in 0..<4 {
            guard let byte = reader.byte() else { return false }
            if byte & 0x80 == 0 { return true }
        }
        return false
    }
}
