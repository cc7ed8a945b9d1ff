/// That the packets of a copied audio track are the source's: each once, in their order, and nothing else.
///
/// A container may have packets decoded before the first that is heard, to set the decoder up, as a movie's edit list
/// does: of those as many may be delivered as anybody likes, but no others may be left out.
struct AudioPacketMatch {
    /// The number of of the source's first packets were not delivered, none of which is heard.
    let left: Int
    /// Delivered samples before the first that the source lets be heard.
    let leading: Int
    /// Delivered samples after the last.
    let trailing: Int
    /// When each was delivered, beside when it was due.
    let measured: [TimeOffsets.Measured]

    /// Compares; nil where they are not the same.
    ///
    /// - Parameters:
    ///   - source: The source's packets in order.
    ///   - delivered: The delivered ones.
    ///   - frame: The number of samples a packet decodes to.
    ///   - moved: By how many seconds the audio is expected to have been moved: tells which of several packets with the
    ///     same content is meant.
    init?(source: [AudioPacket], delivered: [AudioPacket], frame: Int, moved: Double) {
        let hidden = source.firstIndex { !$0.isHidden } ?? source.count
        // Those at the end that are not heard may be missing as well.
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
        // What is left out in the middle, or dropped there, only decoding can judge.
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
