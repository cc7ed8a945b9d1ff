import SegueProxy

extension FaultCase {
    /// What is wrong with what a filter makes of the case, in a line; nil where nothing is.
    ///
    /// A trap ends the program. However the bytes are cut, the same comes of them; nothing follows an end; nothing grows; without faults bytes
    /// pass as they are; and where the case is undamaged HTTP, each request gets what its fault says, to the byte.
    package var problem: String? {
        let run = FaultRun(self)
        for size in [1, 1 << 20] where FaultRun(self, pieces: [size]) != run {
            return "in pieces of \(size) bytes something else comes of it"
        }
        if let end = run.actions.firstIndex(where: { $0 == .close || $0 == .reset }), end != run.actions.count - 1 {
            return "something follows the end"
        }
        let given = exchanges.reduce(0) { $0 + $1.answer.count } + damages.reduce(0) { $0 + $1.text.latin.count }
        guard run.sent.count <= given + 400 * (exchanges.count + damages.count) else {
            return "\(given) bytes of answers became \(run.sent.count)"
        }
        guard damages.isEmpty else { return nil }
        return FaultExpectation.problem(of: self, run)
    }
}

/// What is to come of undamaged HTTP, told in another way than the filter does it: answer by answer, as a whole.
private struct FaultExpectation {
    /// What the client gets that was not accounted for.
    private var rest: ArraySlice<FaultFilter.Action>
    private var bytes: ArraySlice<UInt8> = []
    private var sent = 0
    private var problem: String?

    static func problem(of fault: FaultCase, _ run: FaultRun) -> String? {
        var expectation = FaultExpectation(rest: run.actions[...])
        var isOver = false
        for (number, exchange) in fault.exchanges.enumerated() where !isOver {
            isOver = expectation.follow(exchange)
            if let problem = expectation.problem { return "answer \(number): \(problem)" }
        }
        if !isOver, fault.ends { expectation.take(.close) }
        expectation.takeNothing()
        if let problem = expectation.problem { return problem }
        let forwarded = fault.exchanges.filter { $0.fault?.isLocal != true }.flatMap { exchange in
            exchange.request(movedBy: exchange.fault?.kind == .wrongRange ? exchange.fault?.number ?? 0 : 0)
        }
        return run.forwarded == forwarded ? nil : "the server gets something else"
    }

    private init(rest: ArraySlice<FaultFilter.Action>) { self.rest = rest }

    /// Accounts for an answer; returns whether it is the last thing on the connection.
    private mutating func follow(_ exchange: FaultCase.Exchange) -> Bool {
        guard let fault = exchange.fault else { return takeAll(exchange) }
        switch fault.kind {
        case .status: return takeLocal(fault.number, exchange)
        case .portal: return takeLocal(302, exchange)
        case .wrongLength:
            let said = FaultCase.Exchange.moved(exchange.length, fault.number)
            take(exchange.head(saying: said) + exchange.body.flatMap(\.bytes))
            return take(.close)
        case .slowClose:
            take(exchange.head(saying: 0, isFramed: false) + exchange.body.filter(\.isContent).flatMap(\.bytes))
            take(.wait(.milliseconds(fault.count)))
            return take(.close)
        case .limit: return takeLimited(exchange, fault.number)
        case .wrongRange: return takeAll(exchange)
        case .reset, .stall, .truncation, .corruption, .slices: return takeFaulted(exchange, fault)
        }
    }

    private mutating func takeAll(_ exchange: FaultCase.Exchange) -> Bool {
        take(exchange.answer.prefix(exchange.isBodiless ? exchange.head(saying: exchange.length).count : .max))
        return false
    }

    /// Byte by byte of content, what happens before and to it.
    private mutating func takeFaulted(_ exchange: FaultCase.Exchange, _ fault: FaultCase.Fault) -> Bool {
        take(exchange.head(saying: exchange.length))
        if fault.number == 0, happens(fault) { return true }
        var place = 0
        for (piece, isContent) in exchange.body {
            guard isContent else {
                take(piece)
                continue
            }
            for byte in piece {
                let isCorrupt =
                    fault.kind == .corruption && place >= fault.number && place - fault.number < fault.count
                take([isCorrupt ? ~byte : byte])
                place += 1
                let isDue = fault.kind == .slices ? place % fault.number == 0 : place == fault.number
                if isDue, happens(fault) { return true }
            }
        }
        return false
    }

    /// Accounts for what a fault does at its place; returns whether that ends the connection.
    private mutating func happens(_ fault: FaultCase.Fault) -> Bool {
        switch fault.kind {
        case .reset: return take(.reset)
        case .truncation: return take(.close)
        case .stall, .slices: take(.wait(.milliseconds(fault.count)))
        default: break
        }
        return false
    }

    private mutating func takeLimited(_ exchange: FaultCase.Exchange, _ limit: Int) -> Bool {
        let whole = exchange.head(saying: exchange.length) + exchange.body.flatMap(\.bytes)
        let left = max(0, limit - sent)
        take(whole.prefix(left))
        return whole.count >= left ? take(.close) : false
    }

    /// An answer in the server's place, whose words are the filter's own affair.
    private mutating func takeLocal(_ status: Int, _ exchange: FaultCase.Exchange) -> Bool {
        load()
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 \(status) "), let end = bytes.firstEnd else {
            problem = problem ?? "no answer with \(status) in the server's place"
            return false
        }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let named = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let length = named.flatMap { Int($0.dropFirst(16)) } ?? 0
        let hasBody = exchange.method != "HEAD" && status != 204 && status != 304
        take(Array(bytes.prefix(end - bytes.startIndex + (hasBody ? length : 0))))
        return false
    }

    private mutating func load() {
        while bytes.isEmpty, case .send(let next) = rest.first {
            bytes = next[...]
            rest = rest.dropFirst()
        }
    }

    private mutating func take(_ wanted: some Collection<UInt8>) {
        var wanted = Array(wanted)[...]
        while !wanted.isEmpty, problem == nil {
            load()
            let count = min(wanted.count, bytes.count)
            guard count > 0, wanted.prefix(count).elementsEqual(bytes.prefix(count)) else {
                problem = "after \(sent) bytes the client gets something else"
                return
            }
            (wanted, bytes, sent) = (wanted.dropFirst(count), bytes.dropFirst(count), sent + count)
        }
    }

    @discardableResult
    private mutating func take(_ action: FaultFilter.Action) -> Bool {
        guard bytes.isEmpty, rest.first == action else {
            problem = problem ?? "after \(sent) bytes there is no \(action)"
            return true
        }
        rest = rest.dropFirst()
        return true
    }

    private mutating func takeNothing() {
        if problem == nil, !(bytes.isEmpty && rest.isEmpty) { problem = "the client gets more than there is" }
    }
}

extension ArraySlice<UInt8> {
    /// Where a head ends.
    fileprivate var firstEnd: Int? { firstRange(of: [13, 10, 13, 10])?.upperBound }
}
