internal import SegueBase

/// A client of a forward proxy, which names servers over HTTP or SOCKS 5.
///
/// Its messages to the proxy itself do not cross the link, as a client without a proxy would not send them. Its
/// connections to servers are ``ShapedConnection``s, for whose client end it reads and writes (``ForwardOrigin``).
final class ForwardClient: PolledWork {
    /// The time limit for the first request.
    static let patience = Duration.seconds(60)
    /// The time that a client has to close its end after the proxy has closed its own.
    static let farewell = Duration.seconds(10)
    /// The maximum number of simultaneous connections to servers over HTTP; the least recently used one is closed.
    static let mostOrigins = 16

    enum Phase {
        case unknown
        case socks(SocksGreeting)
        case http
        /// Waits for the addresses of a name.
        case resolving
        case tunnel
        /// Waits for the client to close after a refusal or the last response.
        case farewell
    }

    let id: UInt64
    let link: ProxiedLink
    let name: Endpoint
    unowned let engine: ProxyEngine
    var phase = Phase.unknown
    var isSocks = false
    var isOver = false
    var hasAsked = false
    var stream: ClientStream
    var exchanges = ForwardExchanges()
    /// The time of the current request; nil for a tunnel.
    var asked: Instant?
    /// The connection of the current exchange or of the tunnel.
    var current: ForwardOrigin?
    /// True if the client knows that the tunnel is established.
    var isEstablished = false
    /// The reusable connections to servers, in order of use.
    var origins: [ForwardOrigin] = []

    init(_ id: UInt64, _ name: Endpoint, on link: ProxiedLink, engine: ProxyEngine, socket: Int32) {
        (self.id, self.name, self.link, self.engine) = (id, name, link, engine)
        stream = ClientStream(socket)
        engine.call(in: Self.patience) { [weak self] in
            guard let self, !hasAsked else { return }
            reset()
        }
    }

    func note(_ event: Poller.Event, of end: ProxyEnd) { stream.socket.note(event) }

    func work() -> Bool {
        guard !isOver, flush() else { return false }
        switch phase {
        case .unknown:
            guard fill() else { return false }
            guard let first = stream.input.first else { return endIfEnded() }
            greet(first)
            return !isOver
        case .socks(var greeting):
            guard fill() else { return false }
            let step = greeting.next(&stream.input)
            phase = .socks(greeting)
            return take(step)
        case .http: return nextRequest()
        case .resolving: _ = fill()
        case .tunnel: stir()
        case .farewell:
            stream.socket.endWriting()
            return discard()
        }
        return false
    }

    /// Detects the protocol from the first byte.
    private func greet(_ first: UInt8) {
        switch first {
        case 5:
            isSocks = true
            phase = .socks(SocksGreeting())
        case 4, 22:
            engine.say(
                "\(name): the client uses \(first == 4 ? "SOCKS 4" : "TLS"), but the proxy requires SOCKS 5 or HTTP"
            )
            reset()
        default: phase = .http
        }
    }

    private func take(_ step: SocksGreeting.Step) -> Bool {
        switch step {
        case .more: return endIfEnded()
        case .reply(let bytes):
            stream.say(bytes)
            return true
        case .tunnel(let server): reach(server)
        case .refuse(let bytes, let words):
            engine.say("\(name): \(words); the request is refused")
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
        let part = exchanges.next(in: &stream.input)
        switch part {
        case .head(let head):
            hasAsked = true
            asked = link.now
            ask(ForwardRequest(head))
            return true
        case .unreadable: refuse(400, "the request is not HTTP/1.1")
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
            exchanges.begin(head)
            if let index = origins.lastIndex(where: { $0.server == server }) {
                let origin = origins.remove(at: index)
                origins.append(origin)
                // A connection with unexpected bytes or an end is not reusable.
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

    /// Makes the current connection check its client's end.
    func stir() {
        guard let current, let connection = current.connection else { return }
        current.isReady = true
        engine.enqueue(connection.record)
    }
}
