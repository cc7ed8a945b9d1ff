/// A packet of an MPEG-2 transport stream (ISO/IEC 13818-1, 2.4.3).
package struct TransportPacket {
    /// How many bytes each has.
    package static let size = 188

    /// The byte with which each begins.
    package static let syncByte: UInt8 = 0x47

    /// The PID of packets that carry nothing.
    package static let null = 0x1FFF

    /// To which stream it belongs.
    package let pid: Int

    /// Whether it is marked as damaged on its way.
    package let isDamaged: Bool

    /// Whether a section or a PES packet begins in it.
    package let startsUnit: Bool

    /// Its continuity counter, from 0 to 15.
    package let counter: Int

    /// Its adaptation field without the length; nil where it has none.
    package let adaptation: ArraySlice<UInt8>?

    /// What it carries; nil where it carries nothing.
    package let payload: ArraySlice<UInt8>?

    /// Reads a packet; nil where not even its header is there.
    ///
    /// One whose adaptation field is longer than the packet has neither that nor a payload.
    @inlinable package init?(_ packet: ArraySlice<UInt8>) {
        var reader = ByteReader(packet)
        guard reader.skip(1), let header = reader.integer(2), let control = reader.byte() else { return nil }
        pid = header & 0x1FFF
        isDamaged = header & 0x8000 != 0
        startsUnit = header & 0x4000 != 0
        counter = control & 15
        let hasAdaptation = control & 0x20 != 0
        adaptation = hasAdaptation ? reader.byte().flatMap { reader.slice($0) } : nil
        let isWhole = !hasAdaptation || adaptation != nil
        payload = isWhole && control & 0x10 != 0 ? reader.rest() : nil
    }

    /// Whether its adaptation field says that times or counters do not go on from those before.
    package var marksBreak: Bool { (adaptation?.first ?? 0) & 0x80 != 0 }

    /// Its clock reference (PCR) in ticks of 90 kHz; nil where it has none.
    package var clock: Int64? {
        guard let adaptation, (adaptation.first ?? 0) & 0x10 != 0 else { return nil }
        var reader = ByteReader(adaptation.dropFirst())
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
