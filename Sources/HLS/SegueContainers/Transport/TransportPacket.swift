/// A packet of an MPEG-2 transport stream (ISO/IEC 13818-1, 2.4.3).
package struct TransportPacket {
    /// How many bytes each has.
    package static let size = 188

    /// The byte with which each begins.
    package static let syncByte: UInt8 = 0x47

    /// The PID of packets that carry nothing.
    package static let null = 0x1FFF

    // Places instead of parts, which would each be counted as a use of the bytes.
    @usableFromInline let bytes: ArraySlice<UInt8>
    @usableFromInline let header: Int
    @usableFromInline let control: Int
    /// Where its adaptation field begins, without the length, and where its payload.
    @usableFromInline let fieldStart: Int
    @usableFromInline let payloadStart: Int

    /// Reads a packet; nil where not even its header is there.
    ///
    /// One whose adaptation field is longer than the packet has neither that nor a payload.
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

    /// To which stream it belongs.
    @inlinable package var pid: Int { header & 0x1FFF }

    /// Whether it is marked as damaged on its way.
    @inlinable package var isDamaged: Bool { header & 0x8000 != 0 }

    /// Whether what it carries is scrambled.
    @inlinable package var isScrambled: Bool { control & 0xC0 != 0 }

    /// Whether a section or a PES packet begins in it.
    @inlinable package var startsUnit: Bool { header & 0x4000 != 0 }

    /// Its continuity counter, from 0 to 15.
    @inlinable package var counter: Int { control & 15 }

    /// Whether it carries something.
    @inlinable package var hasPayload: Bool { control & 0x10 != 0 }

    /// What it carries; nil where it carries nothing.
    @inlinable package var payload: ArraySlice<UInt8>? { hasPayload ? bytes[payloadStart...] : nil }

    /// The flags of its adaptation field; none where it has none.
    @inlinable var fieldFlags: UInt8 { fieldStart < payloadStart ? bytes[fieldStart] : 0 }

    /// Whether its adaptation field says that times or counters do not go on from those before.
    @inlinable package var marksBreak: Bool { fieldFlags & 0x80 != 0 }

    /// Its clock reference (PCR) in ticks of 90 kHz; nil where it has none.
    @inlinable package var clock: Int64? {
        guard fieldFlags & 0x10 != 0 else { return nil }
        var reader = ByteReader(bytes[fieldStart + 1..<payloadStart])
        return reader.integer(5).map { Int64($0 >> 7) }
    }
}

/// The clock of transport streams: 90,000 ticks a second in 33 bits.
package enum TransportTime {
    /// Ticks a second.
    package static let scale: Int64 = 90_000

    /// How many ticks there are before the clock begins again.
    package static let wrap: Int64 = 1 << 33

    /// How far one time is after another, between half a wrap before and half a wrap after.
    package static func distance(from: Int64, to: Int64) -> Int64 {
        let difference = ((to - from) % wrap + wrap) % wrap
        return difference >= wrap / 2 ? difference - wrap : difference
    }
}
