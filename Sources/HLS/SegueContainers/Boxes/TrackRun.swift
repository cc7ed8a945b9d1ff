/// The header of a track fragment, `tfhd` (ISO/IEC 14496-12, 8.8.7).
package struct FragmentHead: Sendable, Equatable {
    /// The track ID.
    package let track: Int

    /// The default sample duration in track units; nil if `trex` has it.
    package let duration: Int64?

    /// True if offsets are relative to a base-data-offset.
    package let hasBase: Bool

    /// True if offsets are relative to the moof (default-base-is-moof).
    package let isBaseFragment: Bool

    /// The index of the sample entry, from 1; nil if `trex` has it.
    package let description: Int?

    /// The default sample size in bytes; nil if `trex` has it.
    package let size: Int?

    /// The default sample flags; nil if `trex` has them.
    package let flags: Int?

    /// Parses a body; nil if it is truncated.
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

/// Iterates over the samples of a `trun` (ISO/IEC 14496-12, 8.8.8).
package struct TrackRun {
    /// The properties of a sample in track units.
    package struct Sample: Sendable, Equatable {
        /// The duration; nil for the default.
        package let duration: Int64?
        /// The composition offset.
        package let offset: Int64
        /// The size in bytes; nil for the default.
        package let size: Int?
        /// The flags; nil for the default.
        package let flags: Int?

        @inlinable init(duration: Int64?, offset: Int64, size: Int? = nil, flags: Int? = nil) {
            (self.duration, self.offset, self.size, self.flags) = (duration, offset, size, flags)
        }
    }

    /// The stated number of samples, up to 2^32 - 1.
    ///
    /// Samples without properties take no bytes.
    package let count: Int

    /// The offset of the first sample from the moof or the base-data-offset; nil if it continues the previous run.
    package let dataOffset: Int?

    /// The flags of the first sample; nil for those of all samples.
    package let firstFlags: Int?

    /// True if composition offsets are signed.
    package let isSigned: Bool

    @usableFromInline let flags: Int
    @usableFromInline var reader: ByteReader
    @usableFromInline var left: Int

    /// Parses a body; nil if it is truncated.
    @inlinable package init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let flags = reader.integer(4), let count = reader.integer(4) else { return nil }
        dataOffset = flags & 0x01 != 0 ? reader.signed32() : nil
        firstFlags = flags & 0x04 != 0 ? reader.integer(4) : nil
        isSigned = flags >> 24 != 0
        (self.flags, self.count, left, self.reader) = (flags, count, count, reader)
    }

    /// True if samples have properties; otherwise the defaults apply to all.
    @inlinable package var tellsSamples: Bool { flags & 0xF00 != 0 }

    /// True if samples have durations.
    @inlinable package var tellsDurations: Bool { flags & 0x100 != 0 }

    /// Returns the next complete sample; nil at the end, or if samples have no properties.
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
