/// The client's end of a connection: what has come of a response, and when that is said.
struct Receiver {
    /// What a packet's coming leads to.
    struct Answer {
        /// How many segments have come without a gap, when that is news.
        let inOrder: Int?
        /// Whether to acknowledge at once; else when another packet has come, or after a while.
        let acknowledgesNow: Bool
    }

    private var hasCome: [Bool] = []
    private var inOrder = 0
    private var sinceAcknowledged = 0

    /// The transmissions that have come, in that order.
    private(set) var log: [Int] = []

    /// Makes ready for a response.
    mutating func begin(segmentCount: Int) {
        hasCome = Array(repeating: false, count: segmentCount)
        (inOrder, sinceAcknowledged, log) = (0, 0, [])
        log.reserveCapacity(segmentCount)
    }

    /// Whether something has come that was not acknowledged.
    var owesAcknowledgement: Bool { sinceAcknowledged > 0 }

    /// A transmission of a segment has come.
    ///
    /// The first 16 packets are acknowledged one by one, then every second; the last one and those that come out of
    /// order or fill a gap at once.
    mutating func receive(_ transmission: Int, segment: Int) -> Answer {
        log.append(transmission)
        sinceAcknowledged += 1
        let isExpected = segment == inOrder
        let before = inOrder
        hasCome[segment] = true
        while inOrder < hasCome.count, hasCome[inOrder] { inOrder += 1 }
        let isPlain = isExpected && inOrder == before + 1 && log.count == inOrder
        let acknowledgesNow =
            !isPlain || log.count <= 16 || sinceAcknowledged >= 2 || inOrder == hasCome.count
        return Answer(inOrder: inOrder > before ? inOrder : nil, acknowledgesNow: acknowledgesNow)
    }

    /// An acknowledgement of all that has come is sent.
    mutating func acknowledge() { sinceAcknowledged = 0 }
}
