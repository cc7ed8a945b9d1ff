/// The proof that a copied audio track has each source packet once, in order, and nothing else.
///
/// Packets before the first audible one, which only set up the decoder as with a movie's edit list, may be delivered
/// partly; all others must be.
struct AudioPacketMatch {
    /// The number of leading, inaudible source packets that were not delivered.
    let left: Int
    /// The number of delivered samples before the first audible one.
    let leading: Int
    /// The number of delivered samples after the last.
    let trailing: Int
    /// The delivered and due times of each packet.
    let measured: [TimeOffsets.Measured]

    /// Matches the packets; nil if they differ.
    ///
    /// `frame` is the number of samples per packet. `moved` is the expected shift in seconds, which resolves packets
    /// with equal content.
    init?(source: [AudioPacket], delivered: [AudioPacket], frame: Int, moved: Double) {
        let hidden = source.firstIndex { !$0.isHidden } ?? source.count
        // Trailing inaudible packets may also be missing.
        let heard = (source.lastIndex { !$0.isHidden } ?? -1) + 1
        guard !delivered.isEmpty, hidden < heard else { return nil }
        func isHere(_ left: Int) -> Bool {
            let end = left + delivered.count
            return (heard...source.count).contains(end)
                && zip(source[left..<end], delivered).allSatisfy { $0.checksum == $1.checksum }
        }
        func error(_ left: Int) -> Double {
            guard let from = source[hidden].time, let to = delivered[hidden - left].time else { return .infinity }
            return abs(to - from - moved)
        }
        let places = (0...hidden).filter { $0 + delivered.count <= source.count && isHere($0) }
        guard let left = places.min(by: { error($0) < error($1) }) else { return nil }
        // Gaps in the middle can be judged only by decoding.
        guard !source[hidden..<heard].contains(where: \.isHidden),
            !source[(hidden + 1)...].contains(where: { $0.skippedAtStart > 0 })
        else { return nil }
        self.left = left
        let dropped = (0...hidden).map { $0 * frame + source[$0].skippedAtStart }.max() ?? 0
        leading = max(hidden * frame, dropped) - left * frame
        let behind = left + delivered.count - heard
        trailing = behind * frame + source[..<heard].reduce(0) { $0 + $1.skippedAtEnd }
        var due = DueTimes()
        measured = zip(source[left...], delivered).compactMap { source, delivered in
            let right = due.add(source.time, length: source.length)
            guard let said = source.time, let right, let time = delivered.time else { return nil }
            return TimeOffsets.Measured(delivered: time, said: said, due: right)
        }
    }
}
