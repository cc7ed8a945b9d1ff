internal import SegueBase
internal import SegueFFmpeg

/// What is done about times that cannot be.
extension StreamIndex {
    /// Gives packets times that have wrong ones, or none that differ.
    ///
    /// - Parameter strays: Packets whose times are not those of the packets around them; they get times between those.
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

    /// True if all packets are decoded at the same time.
    private var isStandingStill: Bool {
        guard packets.count > 1, let first = packets.first, first.time != IndexedPacket.unknown else { return false }
        return packets.allSatisfy { $0.time == first.time }
    }

    /// Has the packets follow each other in even steps, as long as the stream is said to last.
    private mutating func spread() {
        let said = info.duration.map { $0 / info.timeBase }.flatMap { $0 >= Rational(Int64(packets.count)) ? $0 : nil }
        let even = said.map { $0 / Rational(Int64(packets.count)) }
        let frame = info.sampleRate > 0 ? Rational(Int64(info.frameSize), Int64(info.sampleRate)) : .zero
        let step = frame > .zero ? frame / info.timeBase : even ?? Rational(max(1, packets[0].duration))
        let start = packets[0].time
        // Where frames are decoded in another order, nothing says in which they are shown but themselves.
        let isOrderKnown = info.reorderDelay == 0 || packets.contains { $0.pts != $0.dts }
        retime { number, _ in start + (Rational(Int64(number)) * step).floored() }
        packets = PacketList(
            packets.map { packet in
                var packet = packet
                if !isOrderKnown { packet.pts = IndexedPacket.unknown }
                // What an edit list shows was reckoned from the wrong times.
                packet.isDiscarded = false
                return packet
            }
        )
    }

    /// Sets decode times anew; what is shown later than decoded is so afterwards, too.
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
    /// When it is decoded, or else shown.
    fileprivate var time: Int64 { dts != IndexedPacket.unknown ? dts : pts }
}
