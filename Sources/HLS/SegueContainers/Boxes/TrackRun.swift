/// What `tfhd` says of a track's fragment (ISO/IEC 14496-12, 8.8.7).
package struct FragmentHead: Sendable, Equatable {
    /// The track's number.
    package let track: Int

    /// How long a sample lasts that does not say, in the track's units; nil where `trex` says it.
    package let duration: Int64?

    /// Whether offsets count from a place that it names, and not from the fragment.
    package let hasBase: Bool

    /// Whether it says that offsets count from the fragment.
    package let isBaseFragment: Bool

    /// Which of the track's sample entries its samples have, from 1; nil where `trex` says it.
    package let description: Int?

    /// How many bytes a sample has that does not say; nil where `trex` says it.
    package let size: Int?

    /// The flags of a sample that does not say; nil where `trex` says it.
    package let flags: Int?

    /// Reads a body; nil where it is too short to name a track.
    package init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let flags = reader.integer(4), let track = reader.integer(4) else { return nil }
        self.track = track
        (hasBase, isBaseFragment) = (flags & 0x01 != 0, flags & 0x2_0000 != 0)
        if flags & 0x01 != 0 { reader.skip(8) }
        description = flags & 0x02 != 0 ? reader.integer(4) : nil
        duration = flags & 0x08 != 0 ? reader.integer(4).map(Int64.init) : nil
        size = flags & 0x10 != 0 ? reader.integer(4) : nil
        self.flags = flags & 0x20 != 0 ? reader.integer(4) : nil
    }
}

/// The samples of a `trun`, one after the other (ISO/IEC 14496-12, 8.8.8).
package struct TrackRun {
    /// What a sample says of itself, in its track's units.
    package struct Sample: Sendable, Equatable {
        /// How long it lasts; nil where the fragment's or the track's default holds.
        package let duration: Int64?
        /// How much later it is shown than decoded.
        package let offset: Int64
        /// How many bytes it has; nil where the fragment's or the track's default holds.
        package let size: Int?
        /// What it needs and what needs it; nil where a default holds.
        package let flags: Int?

        @inlinable init(duration: Int64?, offset: Int64, size: Int? = nil, flags: Int? = nil) {
            (self.duration, self.offset, self.size, self.flags) = (duration, offset, size, flags)
        }
    }

    /// How many samples it claims to have, up to 2^32 - 1: those that say nothing of themselves take no bytes.
    package let count: Int

    /// Where the first sample's bytes begin, counted from the fragment or the base that `tfhd` names; nil where it goes
    /// on behind the run before.
    package let dataOffset: Int?

    /// The flags of the first sample; nil where it has those of all.
    package let firstFlags: Int?

    /// Whether offsets of presentation have a sign.
    package let isSigned: Bool

    @usableFromInline let flags: Int
    @usableFromInline var reader: ByteReader
    @usableFromInline var left: Int

    /// Reads a body; nil where it is too short to say how many samples there are.
    @inlinable package init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let flags = reader.integer(4), let count = reader.integer(4) else { return nil }
        dataOffset = flags & 0x01 != 0 ? reader.signed32() : nil
        firstFlags = flags & 0x04 != 0 ? reader.integer(4) : nil
        isSigned = flags >> 24 != 0
        (self.flags, self.count, left, self.reader) = (flags, count, count, reader)
    }

    /// Whether samples say anything of themselves; where not, all are as the defaults have it.
    @inlinable package var tellsSamples: Bool { flags & 0xF00 != 0 }

    /// Whether samples say how long they last.
    @inlinable package var tellsDurations: Bool { flags & 0x100 != 0 }

    /// The next sample that is there whole; nil where none is, or samples say nothing.
    @inlinable package mutating func next() -> Sample? {
        guard left > 0, tellsSamples else { return nil }
        left -= 1
        var (duration, offset) = (Int64?.none, Int64(0))
        var (size, own) = (Int?.none, Int?.none)
        if flags & 0x100 != 0 {
            guard let value = reader.integer(4) else { return nil }
            duration = Int64(value)
        }
        if flags & 0x200 != 0 {
            guard let value = reader.integer(4) else { return nil }
            size = value
        }
        if flags & 0x400 != 0 {
            guard let value = reader.integer(4) else { return nil }
            own = value
        }
        if flags & 0x800 != 0 {
            // Offsets have a sign from version 1 on.
            guard let value = isSigned ? reader.signed32() : reader.integer(4) else { return nil }
            offset = Int64(value)
        }
        return Sample(duration: duration, offset: offset, size: size, flags: own)
    }
}
