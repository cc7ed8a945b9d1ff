/// The receiving end of one direction of a connection: what has come, and when that is said.
///
/// It belongs to one stream, and is never copied.
struct Receiver: ~Copyable {
    /// What a packet's coming leads to.
    struct Answer {
        /// How many segments have come without a gap, when that is news.
        let inOrder: Int?
        /// Whether to acknowledge at once; else when another packet has come, or after a while.
        let acknowledgesNow: Bool
    }

    /// A packet that has come.
    struct Arrival {
        let transmission: Int
        let segment: Int
    }

    /// How many packets are acknowledged one by one.
    private static let quickAcknowledgements = 16

    /// How long it waits for something to acknowledge along with what has come, in nanoseconds.
    static let patience: Int64 = 40_000_000

    /// The segments from ``inOrder`` on: whether they have come.
    private var ahead = SlidingArray<Bool>()
    private let isQuick: Bool
    private var packets = 0
    private var sinceAcknowledged = 0

    /// How many segments have come without a gap.
    private(set) var inOrder = 0

    /// What has come, in that order, as far as the sender does not know it.
    var log = SlidingArray<Arrival>()

    /// A receiver.
    ///
    /// - Parameter isQuick: Whether it acknowledges first and last packets at once, as one does that has asked for them;
    ///   else it waits for an answer to go along with.
    init(isQuick: Bool) { self.isQuick = isQuick }

    /// Its own end has asked for something: what comes next is acknowledged packet by packet at first.
    mutating func quicken() { packets = 0 }

    /// Whether something has come that was not acknowledged.
    var owesAcknowledgement: Bool { sinceAcknowledged > 0 }

    /// A transmission of a segment has come.
    ///
    /// The first 16 packets are acknowledged one by one, then every second; the last one and those that come out of
    /// order or fill a gap at once.
    ///
    /// - Parameters:
    ///   - arrival: The packet.
    ///   - sent: How many segments have been sent; nil where more is waiting to be.
    /// - Returns: What is to be done.
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

    /// Whether nothing is missing before what has come.
    var hasNoGap: Bool { ahead.isEmpty }

    /// The segment comes that is next, where nothing is missing; it is not logged.
    ///
    /// - Parameter isLast: Whether all that was sent has come then, and nothing else waits to be.
    /// - Returns: Whether to acknowledge at once.
    @inline(__always)
    mutating func receiveNext(isLast: Bool) -> Bool {
        sinceAcknowledged += 1
        packets += 1
        inOrder += 1
        return acknowledgesInOrder(isLast: isLast)
    }

    /// Whether a segment that came in order is acknowledged at once.
    private func acknowledgesInOrder(isLast: Bool) -> Bool {
        sinceAcknowledged >= 2 || isQuick && (packets <= Self.quickAcknowledgements || isLast)
    }

    /// Looks for what has come ahead behind the segments that have come without a gap, where there is none.
    mutating func skipAhead() { ahead.skip(to: inOrder) }

    /// An acknowledgement of all that has come is sent.
    mutating func acknowledge() { sinceAcknowledged = 0 }

    /// The sender knows of what has come before a place in the log.
    mutating func forget(before index: Int) { log.drop(before: index) }
}
