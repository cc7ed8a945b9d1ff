/// The receiving end of a direction: arrivals and acknowledgements.
///
/// It belongs to one stream, and is never copied.
struct Receiver: ~Copyable {
    /// The consequence of an arrival.
    struct Answer {
        /// The number of segments without a gap, if it has increased.
        let inOrder: Int?
        /// True if to acknowledge at once, or with the next packet or after a delay.
        let acknowledgesNow: Bool
    }

    /// An arrived packet.
    struct Arrival {
        let transmission: Int
        let segment: Int
    }

    /// The number of first packets that are acknowledged one by one.
    private static let quickAcknowledgements = 16

    /// The delay of an acknowledgement, in nanoseconds.
    static let patience: Int64 = 40_000_000

    /// The arrival of segments from ``inOrder`` on.
    private var ahead = SlidingArray<Bool>()
    private let isQuick: Bool
    private var packets = 0
    private var sinceAcknowledged = 0

    /// The number of segments without a gap.
    private(set) var inOrder = 0

    /// The arrivals in order, as far as the sender does not know them.
    var log = SlidingArray<Arrival>()

    /// Creates a receiver.
    ///
    /// - Parameter isQuick: True if it acknowledges the first and last packets at once, like the receiver of a
    ///   response; otherwise acknowledgements wait for outgoing data.
    init(isQuick: Bool) { self.isQuick = isQuick }

    /// Acknowledges packets one by one again, after a request.
    mutating func quicken() { packets = 0 }

    /// True if an arrival is not acknowledged.
    var owesAcknowledgement: Bool { sinceAcknowledged > 0 }

    /// Processes an arrival.
    ///
    /// The first 16 packets are acknowledged one by one, then every second one; the last one, and those out of order or
    /// filling a gap, at once.
    ///
    /// - Parameters:
    ///   - sent: The number of sent segments; nil if more is waiting.
    /// - Returns: The consequence.
    mutating func receive(_ arrival: Arrival, ofAll sent: Int?) -> Answer {
        log.append(arrival)
        sinceAcknowledged += 1
        packets += 1
        let before = inOrder
        let hasGap = !ahead.isEmpty
        if arrival.segment == inOrder, ahead.isEmpty {
            inOrder += 1
            ahead.skip(to: inOrder)
        } else {
            if arrival.segment >= inOrder { mark(arrival.segment) }
        }
        let acknowledgesNow =
            hasGap || arrival.segment != before || acknowledgesInOrder(isLast: inOrder == sent)
        return Answer(inOrder: inOrder > before ? inOrder : nil, acknowledgesNow: acknowledgesNow)
    }

    private mutating func mark(_ segment: Int) {
        while ahead.endIndex <= segment { ahead.append(false) }
        ahead[segment] = true
        while inOrder < ahead.endIndex, ahead[inOrder] { inOrder += 1 }
        ahead.skip(to: inOrder)
    }

    /// True if no segment is missing.
    var hasNoGap: Bool { ahead.isEmpty }

    /// Processes the arrival of the next segment without a gap; it is not logged.
    ///
    /// - Parameter isLast: True if it is the last sent segment, with nothing waiting.
    /// - Returns: True to acknowledge at once.
    @inline(__always)
    mutating func receiveNext(isLast: Bool) -> Bool {
        sinceAcknowledged += 1
        packets += 1
        inOrder += 1
        return acknowledgesInOrder(isLast: isLast)
    }

    /// Returns whether a segment in order is acknowledged at once.
    private func acknowledgesInOrder(isLast: Bool) -> Bool {
        sinceAcknowledged >= 2 || isQuick && (packets <= Self.quickAcknowledgements || isLast)
    }

    /// Skips the segments without a gap, if there is none.
    mutating func skipAhead() { ahead.skip(to: inOrder) }

    /// Records that all arrivals are acknowledged.
    mutating func acknowledge() { sinceAcknowledged = 0 }

    /// Forgets the log before a position that the sender knows.
    mutating func forget(before index: Int) { log.drop(before: index) }
}
