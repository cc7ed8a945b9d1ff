/// A packet of an MPEG-2 transport stream (ISO/IEC 13818-1, 2.4.3).
package struct TransportPacket {
    /// The size of a packet in bytes.
    package static let size = 188

    /// The first byte of each packet.
    package static let syncByte: UInt8 = 0x47

    /// The PID of null packets.
    package static let null = 0x1FFF

    // Places instead of parts, which would each be counted as a use of the bytes.
    @usableFromInline let bytes: ArraySlice<UInt8>
    @usableFromInline let header: Int
    @usableFromInline let control: Int
    /// The locations of the adaptation field, without its length, and of the payload.
    @usableFromInline let fieldStart: Int
    @usableFromInline let payloadStart: Int

    /// Parses a packet; nil if its header is truncated.
    ///
    /// A packet with an oversized adaptation field has neither field nor payload.
    @inlinable package init?(_ packet: ArraySlice<UInt8>) {
        guard packet.count >= 4 else { return nil }
        let start = packet.startIndex
        bytes = packet
        header = Int(packet[start + 1]) << 8 | Int(packet[start + 2])
        let flags = Int(packet[start + 3])
        guard flags & 0x20 != 0 else {
            (control, fieldStart, payloadStart) = (flags, start + 4, start + 4)
            return
        }
        let end = packet.count > 4 ? start + 5 + Int(packet[start + 4]) : Int.max
        let fits = end <= packet.endIndex
        (fieldStart, payloadStart) = fits ? (start + 5, end) : (start + 4, start + 4)
        control = fits ? flags : flags & 0xCF
    }

    @inlinable package var pid: Int { header & 0x1FFF }

    /// True if the transport error indicator is set.
    @inlinable package var isDamaged: Bool { header & 0x8000 != 0 }

    /// True if the payload is scrambled.
    @inlinable package var isScrambled: Bool { control & 0xC0 != 0 }

    /// True if a section or a PES packet starts in it.
    @inlinable package var startsUnit: Bool { header & 0x4000 != 0 }

    /// The continuity counter, from 0 to 15.
    @inlinable package var counter: Int { control & 15 }

    /// True if it has a payload.
    @inlinable package var hasPayload: Bool { control & 0x10 != 0 }

    /// The payload; nil if there is none.
    @inlinable package var payload: ArraySlice<UInt8>? { hasPayload ? bytes[payloadStart...] : nil }

    /// The flags of the adaptation field; 0 without one.
    @inlinable var fieldFlags: UInt8 { fieldStart < payloadStart ? bytes[fieldStart] : 0 }

    /// True if the adaptation field marks a discontinuity.
    @inlinable package var marksBreak: Bool { fieldFlags & 0x80 != 0 }

    /// The PCR in 90 kHz ticks; nil if there is none.
    @inlinable package var clock: Int64? {
        guard fieldFlags & 0x10 != 0 else { return nil }
        var reader = ByteReader(bytes[fieldStart + 1..<payloadStart])
        return reader.integer(5).map { Int64($0 >> 7) }
    }
}

/// The clock of transport streams: 90 kHz with 33 bits.
package enum TransportTime {
    /// The number of ticks per second.
    package static let scale: Int64 = 90_000

    /// The number of ticks before the clock wraps.
    package static let wrap: Int64 = 1 << 33

    /// Returns the distance between two times, from half a wrap before to half a wrap after.
    package static func distance(from: Int64, to: Int64) -> Int64 {
        let difference = ((to - from) % wrap + wrap) % wrap
        return difference >= wrap / 2 ? difference - wrap : difference
    }
}
