internal import SegueNetworkModel

/// A server's response to a request, with its timing and faults.
struct ServedAnswer {
    /// The end of the response, as the client sees it.
    enum Ending {
        /// The response is complete, and the connection is reusable.
        case whole
        /// The response is complete, and the connection closes after a delay.
        case closed(after: Duration)
        /// The connection closes before the response is complete.
        case truncated
        case reset
        /// More data is announced but never arrives.
        case silence
        case failed(FetchError)
    }

    /// The timing of the body.
    enum Pace {
        case whole
        /// The first bytes at once, and the rest after a pause.
        case stalled(after: Int, length: Duration)
        /// Pieces of a size, with pauses in between.
        case sliced(bytes: Int, pause: Duration)

        /// The pace of a server with a limited send rate.
        fileprivate init(bitsPerSecond rate: Int) {
            let rate = max(1, rate)
            let bytes = max(ServedAnswer.smallestPiece, rate / 8 / ServedAnswer.piecesPerSecond)
            self = .sliced(bytes: bytes, pause: .seconds(Double(bytes) * 8 / Double(rate)))
        }
    }

    /// The number of pieces per second of a slow server's body, and their minimum size.
    private static let (piecesPerSecond, smallestPiece) = (50, 4 << 10)

    private(set) var response: FetchResponse
    /// The bytes of the body that are sent.
    private(set) var body: FetchBytes
    /// The size on the network, which is less than the size of a compressed body.
    private(set) var wireBytes: Int
    private(set) var ending = Ending.whole
    private(set) var pace = Pace.whole

    /// Creates the response without faults.
    init(to request: FetchRequest, from respond: SimulatedFetcher.Responder, authority: String) {
        let (answered, body) = respond(request)
        response = FetchResponse(
            status: answered.status,
            headers: answered.headers,
            url: answered.url.isEmpty ? request.url : answered.url,
            serverAddress: answered.serverAddress.isEmpty ? authority : answered.serverAddress,
            isLast: answered.isLast
        )
        (response.serverTime, response.serverRate) = (answered.serverTime, answered.serverRate)
        if let rate = answered.serverRate { pace = Pace(bitsPerSecond: rate) }
        let hasBody = response.status != 204 && response.status != 304
        self.body = hasBody ? body : FetchBytes()
        wireBytes = self.body.count
        if let failure = answered.failure {
            // A timeout of the real server is a silence of this length here.
            ending = failure.reason == .timedOut ? .silence : .failed(failure)
            return
        }
        guard hasBody, !request.isHead, let claimed = claimedLength else { return }
        if response.headers.contains(where: { $0.name == "content-encoding" && $0.value != "identity" }) {
            // The responder delivers decoded bytes, and the length is that of the encoded ones. No encoding enlarges a
            // body by more than this, so a greater length is invalid.
            if (1...body.count + body.count / 64 + 1024).contains(claimed) { wireBytes = claimed }
        } else if claimed > body.count {
            ending = .truncated
        }
    }

    /// The announced length; nil for a chunked body, for which it has no meaning (RFC 9112, 6.3).
    private var claimedLength: Int? {
        guard !response.headers.contains(where: { $0.name == "transfer-encoding" }) else { return nil }
        return response.headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
    }

    /// The number of bytes on the network before the first pause.
    var firstBytes: Int {
        switch pace {
        case .whole: wireBytes
        case .stalled(let bytes, _): bytes
        case .sliced(let bytes, _): min(bytes, wireBytes)
        }
    }

    /// True if the bytes on the network are the bytes of the body.
    var isPlain: Bool { wireBytes == body.count }

    /// The number of body bytes after a number of bytes on the network.
    func decoded(_ received: Int) -> Int {
        received >= wireBytes ? body.count : Int(Int64(body.count) * Int64(received) / Int64(max(1, wireBytes)))
    }

    /// The size of the head in HTTP/1.1; 0 without a head.
    var headBytes: Int {
        guard response.status > 0 else { return 0 }
        var size = "HTTP/1.1 200 OK\r\n\r\n".utf8.count
        for (name, value) in response.headers { size += name.utf8.count + value.utf8.count + 4 }
        return size
    }

    /// Applies a fault.
    ///
    /// - Parameters:
    ///   - respond: Answers requests that only the fault causes.
    ///   - sent: The number of bytes that the connection has carried before.
    mutating func suffer(
        _ effect: RequestFault.Effect,
        of request: FetchRequest,
        from respond: SimulatedFetcher.Responder,
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
        case .wrongRange(let shift): moveRange(of: request, by: shift, from: respond)
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

    /// Sends another range of the resource, under the head of the requested range.
    private mutating func moveRange(
        of request: FetchRequest,
        by shift: Int,
        from respond: SimulatedFetcher.Responder
    ) {
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
