/// What `mvhd` and `mdhd` begin with: the clock of a movie, or of a track (ISO/IEC 14496-12, 8.2.2 and 8.4.2).
package struct ClockHead: Sendable, Equatable {
    /// How many bytes of the body are looked at, at the most.
    package static let length = 34

    /// Units a second; more than zero.
    package let scale: Int64

    /// How many units it lasts, less than 2^60; nil where that is left open or absurd.
    package let duration: Int64?

    /// The language as ISO 639-2 has it, in an `mdhd`; nil where there is none or it is undetermined.
    package let language: String?

    /// Reads a body; nil where it has no scale, or one of zero.
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

/// The boxes of which one number is asked.
package enum MovieHeads {
    /// How many bytes of such a body are looked at, at the most.
    package static let length = 24

    /// The track's number in `tkhd`.
    package static func trackNumber(_ body: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11) else { return nil }
        return reader.integer(4)
    }

    /// What handles a track's media, in `hdlr`: `vide`, `soun` and others.
    package static func handler(_ body: ArraySlice<UInt8>) -> FourCC? {
        var reader = ByteReader(body)
        return reader.skip(8) ? reader.code() : nil
    }

    /// The time of `tfdt`, in units of the track; nil when it is beyond what a clock can mean.
    package static func decodeTime(_ body: ArraySlice<UInt8>) -> Int64? { time(body) }

    /// The duration of `mehd`, in units of the movie; nil where it is left open.
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

/// One entry of `trex`: what samples have that do not say (ISO/IEC 14496-12, 8.8.3).
package struct TrackDefaults: Sendable, Equatable {
    /// The track's number.
    package let track: Int

    /// Which of the track's sample entries it has, from 1.
    package let description: Int

    /// How long a sample lasts, in units of the track.
    package let duration: Int64

    /// How many bytes a sample has.
    package let size: Int

    /// What a sample needs and what needs it.
    package let flags: Int

    /// Reads a body; nil where it is too short.
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
