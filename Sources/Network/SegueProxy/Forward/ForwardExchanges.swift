/// The HTTP exchanges of a forward proxy's client, in turn.
struct ForwardExchanges {
    private var requests = MessageReader()
    private var answers = MessageReader()
    private var method = ""
    /// The request head for the server, as far as it has not been sent.
    private var upload: [UInt8] = []
    private(set) var hasAnswered = false
    private var closesAfter = false

    // MARK: Requests

    /// Consumes a part from the front of the client's input.
    mutating func next(in input: inout [UInt8]) -> MessageReader.Part? {
        let (part, left) = input.withUnsafeBytes { raw in
            var rest = Slice(raw)
            let part = requests.next(&rest)
            return (part, rest.count)
        }
        input.removeFirst(input.count - left)
        if case .head(let head) = part { (requests.body, method) = (head.requestBody, head.method) }
        return part
    }

    /// Begins a request with the head for its server.
    mutating func begin(_ head: [UInt8]) {
        upload = head
        (hasAnswered, closesAfter, answers) = (false, false, MessageReader())
    }

    /// Moves bytes of the request's head; nil after it.
    mutating func readHead(into buffer: UnsafeMutableRawBufferPointer) -> ProxiedSocket.Outcome? {
        upload.isEmpty ? nil : ClientStream.move(&upload, into: buffer, upTo: upload.count)
    }

    /// Moves bytes of the request's body from the client's input.
    mutating func readBody(
        of client: inout ClientStream,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> ProxiedSocket.Outcome {
        guard requests.isWithin else { return client.isOver ? .ended : .notNow }
        var copy = requests
        let part = client.input.withUnsafeBytes { bytes in
            var rest = Slice(UnsafeRawBufferPointer(rebasing: bytes.prefix(buffer.count)))
            return copy.next(&rest)
        }
        switch part {
        case .body(let count, _):
            requests = copy
            return ClientStream.move(&client.input, into: buffer, upTo: count)
        case .end:
            requests = copy
            return .notNow
        default: return client.inputEnded ? .ended : .notNow
        }
    }

    // MARK: Responses

    /// Writes bytes of the response to the client, up to its end.
    ///
    /// - Returns: The result, and whether the response is complete.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer,
        to socket: inout ProxiedSocket
    ) -> (outcome: ProxiedSocket.Outcome, isWhole: Bool) {
        var trial = answers
        let most = Self.follow(bytes, in: &trial, to: method)
        guard most.count > 0 else { return (.notNow, false) }
        let outcome = socket.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(most.count)))
        guard case .moved(let count) = outcome else { return (outcome, false) }
        hasAnswered = true
        var followed = most
        if count == most.count {
            answers = trial
        } else {
            followed = Self.follow(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), in: &answers, to: method)
        }
        closesAfter = closesAfter || followed.closes
        return (outcome, followed.isWhole)
    }

    /// Parses a response.
    ///
    /// - Returns: The number of its bytes, whether it is complete with them, and whether the connection ends after it.
    private static func follow(
        _ bytes: UnsafeRawBufferPointer,
        in answers: inout MessageReader,
        to method: String
    ) -> (count: Int, isWhole: Bool, closes: Bool) {
        var rest = Slice(bytes)
        var closes = false
        var isInterim = answers.isInterim
        while let part = answers.next(&rest) {
            switch part {
            case .head(let head):
                answers.body = head.answerBody(to: method)
                isInterim = (100..<200).contains(head.status) && head.status != 101
                answers.isInterim = isInterim
                closes = !isInterim && head.endsConnection
            case .body: break
            case .end where isInterim: break
            case .end: return (bytes.count - rest.count, true, closes)
            case .unreadable:
                // The rest passes unchanged until the connection ends.
                answers.body = .untilClose
                return (bytes.count, false, true)
            }
        }
        return (bytes.count, false, closes)
    }

    /// Returns whether the client may send another request after the complete response.
    mutating func mayContinue() -> Bool { !closesAfter && (!requests.isWithin || requestIsOver()) }

    /// Returns whether the answered request is complete as well.
    private mutating func requestIsOver() -> Bool {
        guard upload.isEmpty, requests.body.hasEnded else { return false }
        var rest = Slice(UnsafeRawBufferPointer(start: nil, count: 0))
        if case .end = requests.next(&rest) { return true }
        return false
    }
}
