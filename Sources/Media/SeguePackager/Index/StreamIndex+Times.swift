internal import SegueBase
internal import SegueFFmpeg

/// Repair of impossible timestamps.
extension StreamIndex {
    /// The time range of the packets, in seconds; nil without timestamps.
    var extent: Range<Rational>? {
        let times = packets.lazy.filter { $0.pts != IndexedPacket.unknown }
        guard let first = times.map(\.pts).min(), let last = times.max(by: { $0.pts < $1.pts }) else { return nil }
        return Rational(first) * info.timeBase..<Rational(last.pts + max(1, last.duration)) * info.timeBase
    }

    /// Repairs constant timestamps and interpolates those of outliers.
    mutating func mendTimes(ofStrays strays: [Range<Int>]) {
        if isStandingStill { return spread() }
        guard !strays.isEmpty else { return }
        var mended: [Int: Int64] = [:]
        for range in strays where range.lowerBound > 0 && range.upperBound < packets.count {
            let (from, to) = (packets[range.lowerBound - 1].time, packets[range.upperBound].time)
            guard from != IndexedPacket.unknown, to != IndexedPacket.unknown, to > from else { continue }
            let steps = Int64(range.count + 1)
            for number in range {
                mended[number] = from + (to - from) * Int64(number - range.lowerBound + 1) / steps
            }
        }
        retime { number, _ in mended[number] }
    }

    /// True if all packets have the same decode time.
    private var isStandingStill: Bool {
        guard packets.count > 1, let first = packets.first, first.time != IndexedPacket.unknown else { return false }
        return packets.allSatisfy { $0.time == first.time }
    }

    /// Spaces the packets evenly over the declared duration.
    private mutating func spread() {
        let said = info.duration.map { $0 / info.timeBase }.flatMap { $0 >= Rational(Int64(packets.count)) ? $0 : nil }
        let even = said.map { $0 / Rational(Int64(packets.count)) }
        let frame = info.sampleRate > 0 ? Rational(Int64(info.frameSize), Int64(info.sampleRate)) : .zero
        let step = frame > .zero ? frame / info.timeBase : even ?? Rational(max(1, packets[0].duration))
        let start = packets[0].time
        // With reordering, only the frames themselves determine the display order.
        let isOrderKnown = info.reorderDelay == 0 || packets.contains { $0.pts != $0.dts }
        retime { number, _ in start + (Rational(Int64(number)) * step).floored() }
        packets = PacketList(
            packets.map { packet in
                var packet = packet
                if !isOrderKnown { packet.pts = IndexedPacket.unknown }
                // The edit list was applied to the wrong times.
                packet.isDiscarded = false
                return packet
            }
        )
    }

    /// Sets decode times and keeps the offsets of presentation times.
    private mutating func retime(_ time: (_ number: Int, _ packet: IndexedPacket) -> Int64?) {
        var result = PacketList()
        for (number, packet) in packets.enumerated() {
            var packet = packet
            if let time = time(number, packet) {
                let lateness =
                    packet.pts == IndexedPacket.unknown || packet.dts == IndexedPacket.unknown
                    ? 0 : packet.pts - packet.dts
                if packet.pts != IndexedPacket.unknown { packet.pts = time + lateness }
                if packet.dts != IndexedPacket.unknown { packet.dts = time }
            }
            result.append(packet)
        }
        packets = result
    }
}

extension IndexedPacket {
    /// The decode time, or the presentation time if unknown.
    fileprivate var time: Int64 { dts != IndexedPacket.unknown ? dts : pts }
}
