internal import SegueBase
internal import SegueFFmpeg

/// The indexed properties of a packet.
struct IndexedPacket: Sendable, Equatable {
    /// The value of unknown timestamps.
    static let unknown = Int64.min

    /// The demuxer's presentation time, in the stream's time base; may be ``unknown``.
    var rawPTS: Int64
    /// The presentation time on the continuous timeline.
    var pts: Int64
    /// The decode time on the continuous timeline.
    var dts: Int64
    /// The demuxer's duration; 0 if none.
    var duration: Int64
    /// The position in the file; -1 if unknown.
    var position: Int64
    var size: Int32
    /// ``Packet/fingerprint`` of the bytes.
    var fingerprint: UInt32
    /// True for a keyframe.
    var isKey: Bool
    /// True if the packet is only needed for decoding.
    var isDiscarded: Bool
    /// True if the packet gives no frame and is only needed for decoding.
    var isHidden = false
    /// The number of timestamp jumps before the packet.
    var epoch: Int32
    /// The container bytes between the position and the content, if content positions are indexed.
    var lead: UInt16 = 0

    /// The position of the content in the file.
    var contentStart: Int64 { position + Int64(lead) }
}

/// The packets of one stream, in file order.
struct StreamIndex: Sendable {
    var info: StreamInfo
    var packets = PacketList()
    /// The samples discarded at both ends of packets, by packet.
    var skips: [Int: SampleSkip] = [:]
    /// The changes of coding: the packet and its header's key, including the first packet.
    var configurations: [(packet: Int, key: UInt64)] = []
    /// The changes of out-of-band configuration: the packet and the configuration.
    var extradataChanges: [(packet: Int, bytes: [UInt8])] = []
    /// The first nonempty packet.
    var firstPacket: [UInt8] = []
    /// True if positions never decrease.
    var hasAscendingPositions = true
    var isEncrypted = false
    /// The packets that are no frames of their own, in order.
    var partial: [PartialPacket] = []
    /// True if discarded packets lie between displayed ones, as with an edit list that omits a part.
    var hasHiddenInside = false

    /// Prepares a packet for a decoder: sets the indexed skips and, if decoding begins or the configuration changes
    /// here, the current configuration.
    func prepare(_ packet: Packet, number: Int, isFirst: Bool) {
        packet.setSkippedSamples(skips[number].map { ($0.start, $0.end) })
        guard let change = extradataChanges.last(where: { $0.packet <= number }), isFirst || change.packet == number
        else { return }
        packet.setNewExtradata(change.bytes)
    }

}

extension FileIndex {
    func matches(_ packet: Packet, _ entry: IndexedPacket) -> Bool {
        guard Int(entry.size) == packet.size else { return false }
        return hasFingerprints ? entry.fingerprint == packet.fingerprint : entry.position == packet.position
    }

    /// Returns a predicate that matches index entries against a packet.
    func match(for packet: Packet) -> (IndexedPacket) -> Bool {
        let (size, position) = (packet.size, packet.position)
        guard hasFingerprints else { return { Int($0.size) == size && $0.position == position } }
        let fingerprint = packet.fingerprint
        return { Int($0.size) == size && $0.fingerprint == fingerprint }
    }
}

/// The samples that a decoder discards at both ends of a packet.
struct SampleSkip: Sendable, Hashable {
    var start: Int
    var end: Int
}

/// The packets of a file's audio and video.
struct FileIndex: Sendable {
    /// The streams with packets, by index.
    var streams: [Int: StreamIndex] = [:]
    /// True if packets are recognized by their bytes, not only by position and size.
    var hasFingerprints = true
    /// True if each packet is stored contiguously from ``IndexedPacket/contentStart``.
    var isStored = false
    /// The error that ended reading before the end of the file.
    var stoppedBy: String?
    /// The subtitle streams that the file declares without any cue.
    var emptySubtitles: Set<Int> = []
}
