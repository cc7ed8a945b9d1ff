internal import SegueBase
internal import SegueFetch

/// An open request for a file or a part of it, with its progress.
struct ByteTransfer: Sendable {
    let id: FetchID
    let began: Instant

    /// The start of the requested part; nil for the whole.
    let askedFrom: Int64?

    /// The end of the requested part; nil for the whole.
    let until: Int64?

    /// The offset of the next byte.
    var next: Int64

    /// True for a request for the first bytes, which are loaded again with the rest.
    var isProbe = false

    /// The error of an unusable response, if any.
    var refusal: PlaybackError?

    /// The text of an error response, if it is short.
    private(set) var explanation: [UInt8] = []

    private(set) var received = 0
    var serverAddress = ""

    /// The end of the held part of the file at the start of the request.
    let heldEnd: Int64

    /// The progress at the last measurement.
    var measured: (at: Instant, bytes: Int)

    private var watch: MinimumRateMonitor

    init(id: FetchID, range: FetchRange?, began: Instant, patience: Duration, heldEnd: Int64) {
        (self.id, self.began, self.heldEnd) = (id, began, heldEnd)
        (askedFrom, until) = (range?.offset, range.map { $0.offset + $0.length })
        next = range?.offset ?? 0
        measured = (began, 0)
        watch = MinimumRateMonitor(patience: patience, began: began)
    }

    /// Adds bytes of the body.
    mutating func receive(_ bytes: [UInt8]) {
        received += bytes.count
        next += Int64(bytes.count)
        if refusal != nil, explanation.count < 300 { explanation += bytes.prefix(300) }
    }

    /// Returns a failure if the server has sent almost nothing for too long.
    mutating func look(at now: Instant, url: String) -> LoadFailure? {
        watch.look(at: now, bytes: received, url: url)
    }
}
