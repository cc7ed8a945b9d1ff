internal import SegueNetworkModel

/// What a server sends for a request, and how, with what goes wrong with it.
struct ServedAnswer {
    /// What the client finds when all that is sent has come.
    enum Ending {
        /// The answer is whole, and the connection can be used again.
        case whole
        /// The answer is whole, and the connection ends, so much later.
        case closed(after: Duration)
        /// The connection ends before the answer does.
        case truncated
        /// The connection is reset.
        case reset
        /// More is announced, and nothing comes.
        case silence
        /// The transfer fails.
        case failed(FetchError)
    }

    /// How the body is written.
    enum Pace {
        /// At once.
        case whole
        /// So many bytes, and the rest so long after these have come.
        case stalled(after: Int, length: Duration)
        /// In pieces of so many bytes with a pause between.
        case sliced(bytes: Int, pause: Duration)

        /// As a server writes it that is no faster than so many bits a second.
        fileprivate init(bitsPerSecond rate: Int) {
            let rate = max(1, rate)
            let bytes = max(ServedAnswer.smallestPiece, rate / 8 / ServedAnswer.piecesPerSecond)
            self = .sliced(bytes: bytes, pause: .seconds(Double(bytes) * 8 / Double(rate)))
        }
    }

    /// How many pieces a second a body comes in whose server is slow, and how small they are at the least.
    private static let (piecesPerSecond, smallestPiece) = (50, 4 << 10)

    private(set) var response: FetchResponse
    /// What is sent of the body.
    private(set) var body: FetchBytes
    /// How many bytes it takes on the network: fewer than the body has where that is coded.
    private(set) var wireBytes: Int
    private(set) var ending = Ending.whole
    private(set) var pace = Pace.whole

    /// An answer as the server means it.
    init(to request: FetchRequest, from respond: SimulatedFetcher.Responder, authority: String) {
        let (answered, body) = respond(request)
        response = FetchResponse(
            status: answered.status,
            headers: answered.headers,
            url: answered.url.isEmpty ? request.url : answered.url,
            serverAddress: answered.serverAddress.isEmpty ? authority : answered.serverAddress,
            isLast: answered.isLast,
            serverTime: answered.serverTime,
            serverRate: answered.serverRate
        )
        if let rate = answered.serverRate { pace = Pace(bitsPerSecond: rate) }
        let hasBody = response.status != 204 && response.status != 304
        self.body = hasBody ? body : FetchBytes()
        wireBytes = self.body.count
        if let failure = answered.failure {
            // Whoever waits in vain does so for as long here.
            ending = failure.reason == .timedOut ? .silence : .failed(failure)
            return
        }
        guard hasBody, !request.isHead, let claimed = claimedLength else { return }
        if response.headers.contains(where: { $0.name == "content-encoding" && $0.value != "identity" }) {
            // The responder hands over what is decoded; the length is that of what was sent. No coding makes a body
            // longer by more than this, so that a greater one is no such length.
            if (1...body.count + body.count / 64 + 1024).contains(claimed) { wireBytes = claimed }
        } else if claimed > body.count {
            ending = .truncated
        }
    }

    /// The length that the head announces; nil where that of a body in chunks stands beside it, which counts for
    /// nothing (RFC 9112, 6.3).
    private var claimedLength: Int? {
        guard !response.headers.contains(where: { $0.name == "transfer-encoding" }) else { return nil }
        return response.headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
    }

    /// Whether each byte that comes over the network is one of the body.
    var isPlain: Bool { wireBytes == body.count }

    /// How many bytes of the body are there when so many have come over the network.
    func decoded(_ received: Int) -> Int {
        received >= wireBytes ? body.count : Int(Int64(body.count) * Int64(received) / Int64(max(1, wireBytes)))
    }

    /// How many bytes the head has as HTTP/1.1 writes it; of one that never came, none.
    var headBytes: Int {
        guard response.status > 0 else { return 0 }
        var size = "HTTP/1.1 200 OK\r\n\r\n".utf8.count
        for (name, value) in response.headers { size += name.utf8.count + value.utf8.count + 4 }
        return size
    }

    /// Lets a fault happen to it.
    ///
    /// - Parameters:
    ///   - effect: The fault.
    ///   - request: What was asked for.
    ///   - respond: Answers what the server would not have been asked without the fault.
    ///   - sent: How many bytes have come over the connection before.
    mutating func suffer(
        _ effect: RequestFault.Effect,
        _ request: FetchRequest,
        _ respond: SimulatedFetcher.Responder,
        sent: Int
    ) {
        defer { wireBytes = body.count }
        switch effect {
        case .status(let status): replace(status: status, headers: [])
        case .portal: replace(status: 302, headers: [(name: "location", value: "http://captive.portal/")])
        case .reset(let count): cut(count, .reset)
        case .truncation(let count): cut(count, .truncated)
        case .limit(let limit):
            if headBytes + body.count > limit - sent { cut(max(0, limit - sent - headBytes), .truncated) }
        case .stall(let count, let length): pace = .stalled(after: min(count, body.count), length: length)
        case .slices(let bytes, let pause): pace = .sliced(bytes: bytes, pause: pause)
        case .wrongLength(let difference):
            let claimed = max(0, body.count + difference)
            set("content-length", "\(claimed)")
            if claimed < body.count { body = body.prefix(claimed) }
            ending = difference > 0 ? .silence : .closed(after: .zero)
        case .slowClose(let time):
            set("content-length", nil)
            ending = .closed(after: time)
        case .corruption(let count, let start):
            var bytes = body.bytes
            for index in bytes.indices.dropFirst(start).prefix(count) {
                bytes[index] = RequestFault.corrupted(bytes[index])
            }
            body = FetchBytes(bytes)
        case .wrongRange(let shift): moveRange(by: shift, request, respond)
        }
    }

    private mutating func replace(status: Int, headers: [(name: String, value: String)]) {
        response = FetchResponse(
            status: status,
            headers: headers + [(name: "content-length", value: "0")],
            url: response.url,
            serverAddress: response.serverAddress
        )
        (body, ending) = (FetchBytes(), .whole)
    }

    private mutating func cut(_ count: Int, _ ending: Ending) {
        body = body.prefix(count)
        self.ending = ending
    }

    private mutating func set(_ name: String, _ value: String?) {
        var headers = response.headers.filter { $0.name != name }
        if let value { headers.append((name: name, value: value)) }
        response = FetchResponse(
            status: response.status,
            headers: headers,
            url: response.url,
            serverAddress: response.serverAddress,
            isLast: response.isLast
        )
    }

    /// Sends as many bytes from elsewhere in the resource, under the head of those that were asked for.
    private mutating func moveRange(by shift: Int, _ request: FetchRequest, _ respond: SimulatedFetcher.Responder) {
        guard let range = request.range, response.status == 206 else { return }
        let start = max(0, range.offset + Int64(shift))
        let moved = FetchRequest(
            id: request.id,
            url: request.url,
            range: FetchRange(offset: start, length: range.length),
            headers: request.headers
        )
        let other = respond(moved).body.bytes
        body = FetchBytes(Array((other + body.bytes.suffix(max(0, body.count - other.count))).prefix(body.count)))
    }
}
