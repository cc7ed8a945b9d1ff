package import SegueNetworkModel

/// What stands at the server's end of a connection whose requests meet faults: it reads HTTP/1.1 both ways, and says
/// what becomes of each byte.
///
/// What is not HTTP/1.1 passes unchanged.
package struct FaultFilter: Sendable {
    /// What is to be done towards the client, in order.
    package enum Action: Sendable, Equatable {
        /// Send bytes.
        case send([UInt8])
        /// Do nothing for so long.
        case wait(Duration)
        /// End the connection after what was sent.
        case close
        /// Reset the connection after what was sent.
        case reset
    }

    /// A request that waits for its answer.
    private struct Exchange {
        let method: String
        let effect: RequestFault.Effect?
        /// What is answered in the server's place.
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
    /// Whether the connection's end is among what was to be done.
    private var isOver = false
    private var actions: [Action] = []
    private var nextAction = 0

    /// A filter for a new connection.
    package init() {}

    /// Whether there is nothing to do towards the client.
    package var isIdle: Bool { nextAction == actions.count }

    /// Takes the next thing to do towards the client.
    package mutating func next() -> Action? {
        guard nextAction < actions.count else { return nil }
        defer {
            nextAction += 1
            if nextAction == actions.count { (actions, nextAction) = ([], 0) }
        }
        return actions[nextAction]
    }

    /// The client's bytes have come to the server.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - fault: The fault that a request for a target meets.
    /// - Returns: What the server gets.
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

    /// A request has begun; returns what of its head the server gets.
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
        // A method that ends HTTP on the connection.
        if head.method == "CONNECT" { passesRequests = true }
        exchanges.append(Exchange(method: head.method, effect: effect, answer: local))
        isSwallowing = local != nil
        answerInPlace()
        return local == nil ? head.bytes : []
    }

    /// Gives the answers that are due in the server's place.
    private mutating func answerInPlace() {
        while answer == nil, answerHead.isEmpty, let bytes = exchanges.first?.answer {
            exchanges.removeFirst()
            emit([.send(bytes)])
        }
    }

    /// The server's bytes.
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
        // Only an interim answer: the one that counts follows.
        guard !(100..<200).contains(head.status) else {
            return emit([.send(head.bytes)], limit: FaultedAnswer.limit(of: exchanges[0].effect))
        }
        let exchange = exchanges.removeFirst()
        var current = FaultedAnswer(head, to: exchange.method, exchange.effect)
        emit(current.begin(), limit: current.limit)
        answer = current.hasEnded ? nil : current
        if answer == nil { answerInPlace() }
    }

    /// The server has nothing more to say.
    package mutating func answerEnded() {
        if !answerHead.isEmpty { emit([.send(answerHead)]) }
        answerHead = []
        emit(answer?.end() ?? [])
        answer = nil
        emit([.close])
    }

    /// Plans actions, and cuts them off where the connection may carry no more bytes.
    ///
    /// - Parameters:
    ///   - new: The actions.
    ///   - limit: How many bytes the connection may carry in all; it may have carried more before anybody set a limit.
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

    /// Moves bytes to a head that is being read.
    ///
    /// - Returns: Whether it ended as heads do, false where it is too long for one; nil where more must come.
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
        // A player in a page of another origin gets to know the status, too.
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
