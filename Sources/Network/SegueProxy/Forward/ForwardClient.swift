internal import SegueBase

/// A client of a forward proxy: it says whom it wants to reach, over HTTP or SOCKS 5, and what is between it and those
/// servers crosses the link.
///
/// What it says to the proxy itself costs nothing on the link: a client without a proxy would not have said it. The
/// connections to servers are ``ShapedConnection``s, for whose client's end this reads and writes (``ForwardOrigin``).
final class ForwardClient: PolledWork {
    /// How long a client may take to say what it wants, from its coming.
    static let patience = Duration.seconds(60)
    /// The time that a client has to close its end after the proxy has closed its own.
    static let farewell = Duration.seconds(10)
    /// How much of what it has said is kept until somebody reads it.
    static let inputLimit = 64 << 10
    /// To how many servers it has connections at once with HTTP; what was used least lately goes.
    static let mostOrigins = 16

    enum Phase {
        case unknown
        case socks(SocksGreeting)
        case http
        /// Waits for the addresses of a name.
        case resolving
        case tunnel
        /// Has been told why not, or all it wanted to know.
        case farewell
    }

    let id: UInt64
    let link: ProxiedLink
    var socket: ProxiedSocket
    let name: Endpoint
    unowned let engine: ProxyEngine
    var phase = Phase.unknown
    var isSocks = false
    var isOver = false
    var hasAsked = false
    /// What was read and not used, and what is still to be written of the proxy's own.
    var input: [UInt8] = []
    var inputEnded = false
    var output: [UInt8] = []

    // HTTP: one exchange after the other.
    var requests = MessageReader()
    var answers = MessageReader()
    var method = ""
    /// When the present request came; nil for a tunnel's bytes.
    var asked: Instant?
    var upload: [UInt8] = []
    var hasAnswered = false
    var closesAfter = false
    /// The connection whose turn it is: that of the exchange, or of the tunnel.
    var current: ForwardOrigin?
    /// Whether a tunnel's client knows that it is there.
    var isEstablished = false
    /// Connections to servers that may carry further requests, the one used last at the end.
    var origins: [ForwardOrigin] = []

    init(_ id: UInt64, _ name: Endpoint, on link: ProxiedLink, engine: ProxyEngine, socket: Int32) {
        (self.id, self.name, self.link, self.engine) = (id, name, link, engine)
        self.socket = ProxiedSocket(socket)
        engine.call(in: Self.patience) { [weak self] in
            guard let self, !hasAsked else { return }
            kill("it said nothing")
        }
    }

    func note(_ event: Poller.Event, of end: ProxyEnd) { socket.note(event) }

    func work() -> Bool {
        guard !isOver, flush() else { return false }
        switch phase {
        case .unknown:
            guard fill() else { return false }
            guard let first = input.first else { return endIfEnded() }
            greet(first)
            return !isOver
        case .socks(var greeting):
            guard fill() else { return false }
            let step = greeting.next(&input)
            phase = .socks(greeting)
            return take(step)
        case .http: return nextRequest()
        case .resolving: _ = fill()
        case .tunnel: stir()
        case .farewell:
            socket.endWriting()
            return discard()
        }
        return false
    }

    /// What a client speaks, its first byte tells.
    private func greet(_ first: UInt8) {
        switch first {
        case 5:
            isSocks = true
            phase = .socks(SocksGreeting())
        case 4, 22:
            engine.say("\(name): it speaks \(first == 4 ? "SOCKS 4" : "TLS") to the proxy, not SOCKS 5 or HTTP")
            kill("")
        default: phase = .http
        }
    }

    private func take(_ step: SocksGreeting.Step) -> Bool {
        switch step {
        case .more: return endIfEnded()
        case .reply(let bytes):
            output += bytes
            return true
        case .tunnel(let server): reach(server)
        case .refuse(let bytes, let words):
            engine.say("\(name): \(words); it is refused")
            leave(saying: bytes)
        }
        return true
    }

    // MARK: HTTP

    private func nextRequest() -> Bool {
        guard current == nil else {
            stir()
            return false
        }
        guard fill() else { return false }
        let part = take(from: &input) { requests.next(&$0) }
        switch part {
        case .head(let head):
            hasAsked = true
            requests.body = head.requestBody
            (method, asked) = (head.method, link.now)
            ask(ForwardRequest(head))
            return true
        case .unreadable: refuse(400, "that is not HTTP/1.1")
        case .body, .end: break
        case nil: return endIfEnded()
        }
        return true
    }

    private func ask(_ request: ForwardRequest) {
        switch request {
        case .refused(let status, let words): refuse(status, words)
        case .tunnel(let server): reach(server)
        case .fetch(let server, let head):
            upload = head
            (hasAnswered, closesAfter, answers) = (false, false, MessageReader())
            if let index = origins.lastIndex(where: { $0.server == server }) {
                let origin = origins.remove(at: index)
                origins.append(origin)
                // One that has more to say than was asked, or has ended, is of no use.
                if let connection = origin.connection, !connection.hasNews { return use(origin, .http) }
                drop(origin)
            }
            reach(server, speaksHTTP: true)
        }
    }

    func use(_ origin: ForwardOrigin, _ phase: Phase) {
        (current, self.phase) = (origin, phase)
        stir()
    }

    /// Has the present connection look at its client's end again.
    func stir() {
        guard let current, let connection = current.connection else { return }
        current.isReady = true
        engine.enqueue(connection.record)
    }
}
