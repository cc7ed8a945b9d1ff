/// The common start of `mvhd` and `mdhd`: the clock of a movie or track (ISO/IEC 14496-12, 8.2.2 and 8.4.2).
package struct ClockHead: Sendable, Equatable {
    /// The maximum size of the header in bytes.
    package static let length = 34

    /// The timescale in units per second, above zero.
    package let scale: Int64

    /// The duration in units, less than 2^60; nil if it is unknown or invalid.
    package let duration: Int64?

    /// The ISO 639-2 language of an `mdhd`; nil if there is none or it is undetermined.
    package let language: String?

    /// Parses a body; nil without a timescale above zero.
    package init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11), let scale = reader.integer(4),
            scale > 0
        else { return nil }
        self.scale = Int64(scale)
        let value = reader.unsigned(version == 1 ? 8 : 4)
        let isOpen = version != 1 && value == 0xFFFF_FFFF
        duration = value.flatMap { $0 < 1 << 60 && !isOpen ? Int64($0) : nil }
        language = value == nil ? nil : reader.integer(2).flatMap(Self.language)
    }

    private static func language(_ packed: Int) -> String? {
        let letters = [packed >> 10 & 31, packed >> 5 & 31, packed & 31]
        guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
        let text = String(decoding: letters.map { UInt8($0 + 0x60) }, as: UTF8.self)
        return text == "und" ? nil : text
    }
}

/// Boxes from which single values are read.
package enum MovieHeads {
    /// The maximum number of bytes that are read of such a body.
    package static let length = 24

    /// Returns the track ID of `tkhd`.
    package static func trackNumber(_ body: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11) else { return nil }
        return reader.integer(4)
    }

    /// Returns the handler type of `hdlr`, such as `vide` or `soun`.
    package static func handler(_ body: ArraySlice<UInt8>) -> FourCC? {
        var reader = ByteReader(body)
        return reader.skip(8) ? reader.code() : nil
    }

    /// Returns the time of `tfdt` in track units; nil if it exceeds any clock.
    package static func decodeTime(_ body: ArraySlice<UInt8>) -> Int64? { time(body) }

    /// Returns the duration of `mehd` in movie units; nil if it is unknown.
    package static func fragmentsDuration(_ body: ArraySlice<UInt8>) -> Int64? {
        time(body).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func time(_ body: ArraySlice<UInt8>) -> Int64? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(3), let time = reader.unsigned(version == 1 ? 8 : 4),
            time < 1 << 60
        else { return nil }
        return Int64(time)
    }
}

/// The default sample properties of a track in `trex` (ISO/IEC 14496-12, 8.8.3).
package struct TrackDefaults: Sendable, Equatable {
    /// The track ID.
    package let track: Int

    /// The index of the sample entry, from 1.
    package let description: Int

    /// The sample duration in track units.
    package let duration: Int64

    /// The sample size in bytes.
    package let size: Int

    /// The sample flags.
    package let flags: Int

    /// Parses a body; nil if it is truncated.
    package init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard reader.skip(4), let track = reader.integer(4), let description = reader.integer(4),
            let duration = reader.integer(4)
        else { return nil }
        self.description = description
        (self.track, self.duration) = (track, Int64(duration))
        (size, flags) = (reader.integer(4) ?? 0, reader.integer(4) ?? 0)
    }
}
