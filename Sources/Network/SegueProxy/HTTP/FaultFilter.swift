package import SegueNetworkModel

/// Applies faults to the requests of a connection, at the server's end: it parses HTTP/1.1 in both directions.
///
/// Other protocols pass unchanged.
package struct FaultFilter: Sendable {
    /// An action toward the client.
    package enum Action: Sendable, Equatable {
        case send([UInt8])
        case wait(Duration)
        /// Close the connection after the sent bytes.
        case close
        /// Reset the connection after the sent bytes.
        case reset
    }

    /// A request without a complete response.
    private struct Exchange {
        let method: String
        let effect: RequestFault.Effect?
        /// The response instead of the server's.
        let answer: [UInt8]?
    }

    private static let headLimit = 64 << 10

    private var passesRequests = false
    private var passesAnswers = false
    private var requestHead: [UInt8] = []
    private var requestBody = HTTPBody.length(0)
    private var isSwallowing = false
    private var exchanges: [Exchange] = []
    private var answerHead: [UInt8] = []
    private var answer: FaultedAnswer?
    private var sent = 0
    /// True if the end of the connection is among the actions.
    private var isOver = false
    private var actions: [Action] = []
    private var nextAction = 0

    package init() {}

    /// True if no action is pending.
    package var isIdle: Bool { nextAction == actions.count }

    /// Removes and returns the next action.
    package mutating func next() -> Action? {
        guard nextAction < actions.count else { return nil }
        defer {
            nextAction += 1
            if nextAction == actions.count { (actions, nextAction) = ([], 0) }
        }
        return actions[nextAction]
    }

    /// Processes bytes from the client.
    ///
    /// - Parameters:
    ///   - fault: Returns the fault of a request for a target.
    /// - Returns: The bytes for the server.
    package mutating func request(
        _ bytes: [UInt8],
        _ fault: (_ target: String) -> RequestFault.Effect?
    ) -> [UInt8] {
        var rest = bytes[...]
        var forward: [UInt8] = []
        while !rest.isEmpty {
            if passesRequests { return forward + rest }
            if !requestBody.hasEnded {
                let count = requestBody.take(rest).count
                if !isSwallowing { forward += rest.prefix(count) }
                rest = rest.dropFirst(count)
                continue
            }
            guard let end = Self.append(&rest, to: &requestHead) else { continue }
            guard end, let head = HTTPHead(requestHead) else {
                forward += requestHead
                (requestHead, passesRequests, passesAnswers) = ([], true, exchanges.isEmpty)
                continue
            }
            requestHead = []
            forward += begin(head, fault(head.target))
        }
        return forward
    }

    /// Begins a request; returns the part of its head for the server.
    private mutating func begin(_ head: HTTPHead, _ effect: RequestFault.Effect?) -> [UInt8] {
        requestBody = head.requestBody
        isSwallowing = false
        var head = head
        var local: [UInt8]?
        switch effect {
        case .status(let status): local = Self.refusal(status, head.method)
        case .portal: local = Self.redirect
        case .wrongRange(let difference): head["range"] = head["range"].map { FaultedAnswer.moved($0, by: difference) }
        default: break
        }
        // CONNECT ends HTTP on the connection.
        if head.method == "CONNECT" { passesRequests = true }
        exchanges.append(Exchange(method: head.method, effect: effect, answer: local))
        isSwallowing = local != nil
        answerInPlace()
        return local == nil ? head.bytes : []
    }

    /// Sends the due responses instead of the server's.
    private mutating func answerInPlace() {
        while answer == nil, answerHead.isEmpty, let bytes = exchanges.first?.answer {
            exchanges.removeFirst()
            emit([.send(bytes)])
        }
    }

    /// Processes bytes from the server.
    package mutating func answer(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if passesAnswers { return emit([.send(Array(rest))]) }
            if var current = answer {
                let (count, new) = current.take(rest)
                emit(new, limit: current.limit)
                rest = rest.dropFirst(count)
                answer = current.hasEnded ? nil : current
                if answer == nil { answerInPlace() }
                continue
            }
            guard let end = Self.append(&rest, to: &answerHead) else { continue }
            guard end, let head = HTTPHead(answerHead), !exchanges.isEmpty else {
                emit([.send(answerHead)])
                (answerHead, passesAnswers) = ([], true)
                continue
            }
            answerHead = []
            begin(head)
        }
    }

    private mutating func begin(_ head: HTTPHead) {
        if head.status == 101 {
            (passesRequests, passesAnswers) = (true, true)
            return emit([.send(head.bytes)])
        }
        // An interim response; the final one follows.
        guard !(100..<200).contains(head.status) else {
            return emit([.send(head.bytes)], limit: FaultedAnswer.limit(of: exchanges[0].effect))
        }
        let exchange = exchanges.removeFirst()
        var current = FaultedAnswer(head, to: exchange.method, exchange.effect)
        emit(current.begin(), limit: current.limit)
        answer = current.hasEnded ? nil : current
        if answer == nil { answerInPlace() }
    }

    /// Processes the end of the server's data.
    package mutating func answerEnded() {
        if !answerHead.isEmpty { emit([.send(answerHead)]) }
        answerHead = []
        emit(answer?.end() ?? [])
        answer = nil
        emit([.close])
    }

    /// Adds actions, up to the limit of bytes on the connection.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes on the connection, which it may have exceeded already.
    private mutating func emit(_ new: [Action], limit: Int? = nil) {
        for action in new {
            guard !isOver else { return }
            guard case .send(let bytes) = action else {
                actions.append(action)
                isOver = action == .close || action == .reset
                continue
            }
            if bytes.isEmpty { continue }
            let left = limit.map { max(0, $0 - sent) } ?? .max
            sent += min(left, bytes.count)
            if bytes.count < left {
                actions.append(action)
            } else {
                if left > 0 { actions.append(.send(Array(bytes.prefix(left)))) }
                actions.append(.close)
                isOver = true
            }
        }
    }

    /// Moves bytes to an incomplete head.
    ///
    /// - Returns: True if the head is complete; false if it is too long, nil if more bytes are needed.
    private static func append(_ rest: inout ArraySlice<UInt8>, to head: inout [UInt8]) -> Bool? {
        while let byte = rest.popFirst() {
            head.append(byte)
            if byte == UInt8(ascii: "\n"), head.suffix(4).elementsEqual([13, 10, 13, 10]) { return true }
            if head.count >= headLimit { return false }
        }
        return nil
    }

    private static func refusal(_ status: Int, _ method: String) -> [UInt8] {
        let text = "The network answers with \(status), as its faults say.\n"
        // Lets a player in a page of another origin read the status.
        let fields = [
            ("Content-Type", "text/plain"), ("Content-Length", "\(text.utf8.count)"),
            ("Access-Control-Allow-Origin", "*"),
        ]
        let head = HTTPHead(status: status, reason: status < 400 ? "OK" : "Fault", fields: fields)
        return head.bytes + (method == "HEAD" || status == 204 || status == 304 ? [] : Array(text.utf8))
    }

    private static let redirect = HTTPHead(
        status: 302,
        reason: "Found",
        fields: [("Location", "http://portal.invalid/"), ("Content-Length", "0")]
    ).bytes
}
