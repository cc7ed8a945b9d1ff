internal import SegueBase
internal import SegueFFmpeg

/// What the index keeps of one packet.
struct IndexedPacket: Sendable, Equatable {
    /// Stands for a timestamp that is not known.
    static let unknown = Int64.min

    /// The presentation time that the demuxer gives, in the stream's time base; may be ``unknown``.
    var rawPTS: Int64
    /// The presentation time on the file's one timeline: jumps of the source taken out.
    var pts: Int64
    /// The decode time on the file's one timeline.
    var dts: Int64
    /// The duration that the demuxer gives; 0 when it gives none.
    var duration: Int64
    /// Where it begins in the file; -1 when unknown.
    var position: Int64
    /// The number of bytes.
    var size: Int32
    /// ``Packet/fingerprint`` of the bytes.
    var fingerprint: UInt32
    /// True if decoding can begin here.
    var isKey: Bool
    /// True if it is decoded only for others.
    var isDiscarded: Bool
    /// True if it gives no frame of its own, and is decoded only for others.
    var isHidden = false
    /// How often the source's timestamps have jumped before it.
    var epoch: Int32
    /// The number of bytes of the container lie between its position and its content, where the index knows the places
    /// of contents.
    var lead: UInt16 = 0

    /// Where its content begins in the file.
    var contentStart: Int64 { position + Int64(lead) }
}

/// The packets of one stream, in the order of the file.
struct StreamIndex: Sendable {
    /// The stream.
    var info: StreamInfo
    /// Its packets.
    var packets = PacketList()
    /// Samples that the decoder drops at both ends of a packet, by packet.
    var skips: [Int: SampleSkip] = [:]
    /// Where the coding changes on the way: the packet and what its header says, the first packet included.
    var configurations: [(packet: Int, key: UInt64)] = []
    /// Out-of-band configuration that takes effect on the way: the packet and the configuration.
    var extradataChanges: [(packet: Int, bytes: [UInt8])] = []
    /// The bytes of the first packet that has any.
    var firstPacket: [UInt8] = []
    /// True if each packet lies behind the one before it in the file, or at the same place.
    var hasAscendingPositions = true
    /// True if some packet is encrypted.
    var isEncrypted = false
    /// True if packets that are not shown or heard lie between others that are, as where an edit list leaves out a
    /// part.
    var hasHiddenInside = false

    /// Makes a packet ready for a decoder: what it drops is what the index says, and a decoder that begins here learns
    /// of the configuration in force.
    func prepare(_ packet: Packet, number: Int, isFirst: Bool) {
        packet.setSkippedSamples(skips[number].map { ($0.start, $0.end) })
        guard isFirst, let change = extradataChanges.last(where: { $0.packet <= number }) else { return }
        packet.setNewExtradata(change.bytes)
    }

}

extension FileIndex {
    /// True if a packet that was read is the one that the index has.
    func matches(_ packet: Packet, _ entry: IndexedPacket) -> Bool {
        guard Int(entry.size) == packet.size else { return false }
        return hasFingerprints ? entry.fingerprint == packet.fingerprint : entry.position == packet.position
    }

    /// Tells of any number of entries whether they are a packet that was read.
    func match(for packet: Packet) -> (IndexedPacket) -> Bool {
        let (size, position) = (packet.size, packet.position)
        guard hasFingerprints else { return { Int($0.size) == size && $0.position == position } }
        let fingerprint = packet.fingerprint
        return { Int($0.size) == size && $0.fingerprint == fingerprint }
    }
}

/// Samples that a decoder drops at both ends of a packet.
struct SampleSkip: Sendable, Hashable {
    var start: Int
    var end: Int
}

/// All packets of a file's audio and video.
struct FileIndex: Sendable {
    /// The streams that have packets, by number.
    var streams: [Int: StreamIndex] = [:]
    /// True if packets are known again by their bytes too, and not by place and size alone.
    var hasFingerprints = true
    /// True if the bytes of each packet lie in the file as a demuxer gives them, from ``IndexedPacket/contentStart``
    /// on.
    var isStored = false
    /// Why reading stopped before the end of the file, if it did.
    var stoppedBy: String?
}
