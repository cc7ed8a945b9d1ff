internal import SegueBase
internal import SegueFetch

/// A request for a file or a part of it, with how far its answer has come.
struct ByteTransfer: Sendable {
    let id: FetchID
    let began: Instant

    /// Where the part begins that was asked for; nil for the whole.
    let askedFrom: Int64?

    /// The end of that part; nil for the whole.
    let until: Int64?

    /// The offset of the byte that comes next.
    var next: Int64

    /// Why the answer is of no use; nil for a good one.
    var refusal: PlaybackError?

    /// What an error's answer says, as far as it is short.
    private(set) var explanation: [UInt8] = []

    private(set) var received = 0
    var serverAddress = ""

    /// The end of what was held of the file when it began.
    let heldEnd: Int64

    /// What was counted of it in measuring.
    var measured: (at: Instant, bytes: Int)

    private var watch: TrickleWatch

    init(id: FetchID, range: FetchRange?, began: Instant, patience: Duration, heldEnd: Int64) {
        (self.id, self.began, self.heldEnd) = (id, began, heldEnd)
        (askedFrom, until) = (range?.offset, range.map { $0.offset + $0.length })
        next = range?.offset ?? 0
        measured = (began, 0)
        watch = TrickleWatch(patience: patience, began: began)
    }

    /// Takes in bytes of the body.
    mutating func take(_ bytes: [UInt8]) {
        received += bytes.count
        next += Int64(bytes.count)
        if refusal != nil, explanation.count < 300 { explanation += bytes.prefix(300) }
    }

    /// Looks whether the server has sent next to nothing for too long.
    ///
    /// - Returns: Why it has failed; nil when it has not.
    mutating func look(at now: Instant, url: String) -> LoadFailure? {
        watch.look(at: now, bytes: received, url: url)
    }
}
