internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager

/// The packets of a copied track, with their decoder configurations.
struct CopiedPackets {
    private(set) var packets: [AudioPacket] = []
    private var setUps: [AudioPackets.SetUp] = []

    mutating func add(_ packet: Packet, of stream: StreamInfo) {
        packets.append(AudioPacket(packet, stream))
        let setUp = AudioPackets.SetUp(stream)
        if !setUps.contains(setUp) { setUps.append(setUp) }
    }

    /// The packet match with an equal decoder configuration; nil if there is none.
    func match(with source: SourceAudio, plan: SegmentPlan) -> AudioPacketMatch? {
        guard setUps.allSatisfy({ $0.agrees(with: source.setUp) }) else { return nil }
        return AudioPacketMatch(
            source: source.packets,
            delivered: packets,
            frame: max(source.frameSize, 1),
            moved: (plan.timestampOffset - plan.origin).seconds
        )
    }

    /// The first difference from the source's packets beyond a short end.
    func difference(from source: SourceAudio) -> VideoComparator.Difference? {
        let comparator = VideoComparator(source: source.packets.map(\.frame), delivered: packets.map(\.frame))
        return comparator.differences.first { $0.kind != .missing || $0.count > 64 }
    }
}
