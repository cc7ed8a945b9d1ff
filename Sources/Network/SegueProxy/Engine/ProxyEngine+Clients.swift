internal import CSegueSystem
internal import Glibc
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// The clients of the proxy, from the listener to the connection.
extension ProxyEngine {
    private static let clientsInARow = 64

    func accept(on route: ProxiedLink.Route, _ link: ProxiedLink) {
        for _ in 0..<Self.clientsInARow {
            var peer = ssock_address()
            let socket = ssock_accept(route.listener, &peer)
            guard socket >= 0 else {
                if SystemError.isShortage(-socket) { refuse(on: route, -socket) }
                return
            }
            isShort = false
            begin(socket, of: SocketAddress(raw: peer).endpoint, on: link, route)
        }
    }

    /// Accepts a client with the spare descriptor and resets it, which otherwise would wait without an answer.
    private func refuse(on route: ProxiedLink.Route, _ code: Int32) {
        if !isShort { say("\(route.bound): \(SystemError.words(code)); new clients are reset (raise ulimit -n)") }
        isShort = true
        spare.acceptAndReset(route.listener)
    }

    private func begin(_ socket: Int32, of client: Endpoint, on link: ProxiedLink, _ route: ProxiedLink.Route) {
        ssock_prepare(socket)
        guard let upstream = route.upstream else { return forward(socket, of: client, on: link) }
        begin(ProxiedSocket(socket), of: client, on: link, to: upstream)
    }

    /// Begins a connection of a client, or of its replacement in a forward proxy.
    @discardableResult
    func begin(
        _ socket: ProxiedSocket,
        of client: Endpoint,
        on link: ProxiedLink,
        to upstream: Upstream
    ) -> (any ProxyConnection) {
        let record = link.record(of: client)
        let id = work.newNumber()
        work.assign(id, to: record)
        let server = "\(upstream.endpoint)"
        happened(.linkOpened(link: link.name, connection: record.number, client: "\(client)", server: server))
        let isSpliced = isSpliced(link) && socket.standIn == nil
        let receiveBuffer = isSpliced ? 0 : SocketBuffers(link.profile).size(roundTrip: 0)
        let serverSocket = ServerSocket(upstream, receiveBuffer: receiveBuffer)
        if socket.standIn == nil { watch(socket.descriptor, of: record, .client) }
        if serverSocket.socket.isOpen { watch(serverSocket.socket.descriptor, of: record, .server) }
        timers.schedule(.connectLimit(id), at: Instant(nanoseconds: ssock_now()) + Self.connectLimit)
        defer { enqueue(id) }
        guard !isSpliced else {
            let descriptor = socket.descriptor
            let connection = SplicedConnection(record, on: link, engine: self, client: descriptor, server: serverSocket)
            link.spliced[record.number] = connection
            work[id] = connection
            return connection
        }
        let connection = ShapedConnection(record, on: link, engine: self, client: socket, server: serverSocket)
        link.shaped[connection.connection] = connection
        work[id] = connection
        return connection
    }

    /// Accepts a client of a forward proxy, unless the proxy has connected to itself.
    private func forward(_ socket: Int32, of client: Endpoint, on link: ProxiedLink) {
        let isOwn = work.all.contains { one in
            guard let connection = one as? ShapedConnection else { return false }
            return connection.clientSocket.standIn != nil && connection.server.local == client
        }
        guard !isOwn else {
            say("\(client): the proxy was asked to connect to itself; the connection is reset")
            return ssock_reset(socket)
        }
        let id = work.newNumber()
        let forwarded = ForwardClient(id, client, on: link, engine: self, socket: socket)
        link.forwarded[id] = forwarded
        work[id] = forwarded
        _ = poller.watch(socket, tag: id << 1 | ProxyEnd.client.rawValue)
        enqueue(id)
    }

    /// Removes a client of a forward proxy.
    func ended(_ forwarded: ForwardClient) {
        forwarded.link.forwarded[forwarded.id] = nil
        work[forwarded.id] = nil
    }
}
