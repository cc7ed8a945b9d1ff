internal import CSegueSystem
internal import Glibc
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// The proxy's event loop on one thread: it waits for sockets and for the links' next instants, and moves bytes.
///
/// All links share the thread. It uses absolute instants and never sleeps for a duration, so that delays do not
/// accumulate.
final class ProxyEngine {
    /// The time limit of a connection attempt to a server.
    static let connectLimit = Duration.seconds(10)

    private enum Timer {
        case connectLimit(UInt64)
        case change(Int)
        case wake(UInt64)
        case call(() -> Void)
    }

    private static let bellTag: UInt64 = 0
    private static let clientsInARow = 64

    private let observer: ProxyObserver
    private let bell: Int32
    /// Runs a command on this thread, from any other.
    let post: @Sendable (@escaping LinkProxy.Command) -> Void
    private let takeCommands: () -> [LinkProxy.Command]
    private var poller: Poller
    private(set) var links: [ProxiedLink] = []
    private var listeners: [UInt64: (link: ProxiedLink, route: ProxiedLink.Route)] = [:]
    private var connections: [UInt64: any PolledWork] = [:]
    /// The running name resolutions.
    var lookups = NameLookups()
    private var ids: [ObjectIdentifier: UInt64] = [:]
    private var ready: [UInt64] = []
    private var isReady: Set<UInt64> = []
    private var timers = EventQueue<Timer>()
    private var nextID: UInt64 = 1
    private var requestCount = 0
    /// The scheduled changes.
    private(set) var scheduled: [ScheduledChange] = []
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
    /// A spare descriptor, to accept and reset a client when there are no others.
    private var spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    private var isShort = false
    private var isStopping = false

    /// - Throws: ``ProxyError`` if the system has no descriptors left.
    init(
        observer: ProxyObserver,
        bell: Int32,
        post: @escaping @Sendable (@escaping LinkProxy.Command) -> Void,
        takeCommands: @escaping () -> [LinkProxy.Command]
    ) throws(ProxyError) {
        (self.observer, self.bell, self.post, self.takeCommands) = (observer, bell, post, takeCommands)
        poller = try Poller()
        poller.watchLevel(bell, tag: Self.bellTag)
    }

    deinit {
        bytes.deallocate()
        if spare >= 0 { close(spare) }
    }

    /// A buffer of at most `most` bytes, which the caller may use until the next call.
    func buffer(_ most: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(most, bytes.count)])
    }

    func say(_ line: String) { observer.say(line) }

    func happened(_ kind: EventKind) { observer.happened(kind) }

    func beginning(of body: ExchangeWatch.Body) -> [UInt8]? {
        observer.beginning(of: body, most: ExchangeWatch.playlistLimit)
    }

    /// Returns the number of the next request.
    func nextRequest() -> Int {
        requestCount += 1
        return requestCount
    }

    /// Whether the system may move the bytes of a link without inspection.
    private func isSpliced(_ link: ProxiedLink) -> Bool { link.isTransparent && !observer.wantsRequests }

    /// Runs until it is stopped.
    func run() {
        while !isStopping {
            let events = poller.wait(patience())
            let now = ssock_now()
            for link in links { for connection in link.advance(to: now) { enqueue(connection.record) } }
            for event in events { handle(event) }
            while let due = timers.nextInstant, due.nanoseconds <= now, let (_, timer) = timers.popNext() {
                fire(timer)
            }
            workOff()
        }
        for connection in connections.values { connection.kill(.proxyEnded) }
        for route in listeners.values { close(route.route.listener) }
        for link in links where link.relay.lateness.total > 0 { happened(link.lateness) }
    }

    /// Runs the work that is ready.
    private func workOff() {
        let turn = ready
        ready.removeAll(keepingCapacity: true)
        isReady.removeAll(keepingCapacity: true)
        for id in turn { if let connection = connections[id], connection.work() { enqueue(id) } }
    }

    /// Ends ``run()`` after the present iteration.
    func stop() { isStopping = true }

    private func patience() -> Duration? {
        guard ready.isEmpty else { return .zero }
        let next = links.compactMap(\.nextNanoseconds) + [timers.nextInstant?.nanoseconds].compactMap { $0 }
        return next.min().map { .nanoseconds(max(0, $0 - ssock_now())) }
    }

    private func handle(_ event: Poller.Event) {
        if event.tag == Self.bellTag {
            ssock_silence(bell)
            if ssock_was_interrupted() != 0 { stop() }
            for command in takeCommands() { command(self) }
        } else if let (link, route) = listeners[event.tag] {
            // Earlier bytes of others precede the new client's handshake on the line.
            workOff()
            accept(on: route, link)
        } else if let connection = connections[event.tag >> 1], let end = ProxyEnd(rawValue: event.tag & 1) {
            connection.note(event, of: end)
            enqueue(event.tag >> 1)
        }
    }

    private func fire(_ timer: Timer) {
        switch timer {
        case .connectLimit(let id):
            (connections[id] as? any ProxyConnection)?.giveUpConnecting()
            enqueue(id)
        case .call(let body): body()
        case .wake(let id):
            (connections[id] as? ShapedConnection)?.resume()
            enqueue(id)
        case .change(let number):
            guard let index = scheduled.firstIndex(where: { $0.number == number }) else { return }
            let due = scheduled.remove(at: index)
            guard let link = link(due.link) else { return }
            change(link) { $0.become(due.network) }
        }
    }

    /// Schedules work for the next iteration.
    func enqueue(_ id: UInt64) { if isReady.insert(id).inserted { ready.append(id) } }

    /// Schedules a connection for the next iteration.
    func enqueue(_ record: ConnectionRecord) { if let id = ids[ObjectIdentifier(record)] { enqueue(id) } }

    // Clients

    private func accept(on route: ProxiedLink.Route, _ link: ProxiedLink) {
        for _ in 0..<Self.clientsInARow {
            var peer = ssock_address()
            let socket = ssock_accept(route.listener, &peer)
            guard socket >= 0 else {
                if SystemError.isShortage(-socket) { refuse(on: route, -socket) }
                return
            }
            isShort = false
            begin(socket, SocketAddress(raw: peer).endpoint, on: link, route)
        }
    }

    /// Accepts a client with the spare descriptor and resets it, which otherwise would wait without an answer.
    private func refuse(on route: ProxiedLink.Route, _ code: Int32) {
        if !isShort { say("\(route.bound): \(SystemError.words(code)); new clients are reset (raise ulimit -n)") }
        isShort = true
        if spare >= 0 { close(spare) }
        var peer = ssock_address()
        let socket = ssock_accept(route.listener, &peer)
        if socket >= 0 { ssock_reset(socket) }
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private func begin(_ socket: Int32, _ client: Endpoint, on link: ProxiedLink, _ route: ProxiedLink.Route) {
        ssock_prepare(socket)
        guard let upstream = route.upstream else { return forward(socket, client, on: link) }
        begin(ProxiedSocket(socket), client, on: link, upstream)
    }

    /// Begins a connection of a client, or of its replacement in a forward proxy.
    @discardableResult
    func begin(
        _ socket: ProxiedSocket,
        _ client: Endpoint,
        on link: ProxiedLink,
        _ upstream: Upstream
    ) -> (any ProxyConnection) {
        let record = link.record(of: client)
        let id = newID()
        ids[ObjectIdentifier(record)] = id
        let server = "\(upstream.endpoint)"
        happened(.linkOpened(link: link.name, connection: record.number, client: "\(client)", server: server))
        let isSpliced = isSpliced(link) && socket.standIn == nil
        let receiveBuffer = isSpliced ? 0 : SocketBuffers(link.profile).size(roundTrip: 0)
        let serverSocket = ServerSocket(upstream, receiveBuffer: receiveBuffer)
        if socket.standIn == nil { watch(socket.descriptor, record, .client) }
        if serverSocket.socket.isOpen { watch(serverSocket.socket.descriptor, record, .server) }
        timers.schedule(.connectLimit(id), at: Instant(nanoseconds: ssock_now()) + Self.connectLimit)
        defer { enqueue(id) }
        guard !isSpliced else {
            let descriptor = socket.descriptor
            let connection = SplicedConnection(record, on: link, engine: self, client: descriptor, server: serverSocket)
            link.spliced[record.number] = connection
            connections[id] = connection
            return connection
        }
        let connection = ShapedConnection(record, on: link, engine: self, client: socket, server: serverSocket)
        link.shaped[connection.connection] = connection
        connections[id] = connection
        return connection
    }

    /// Accepts a client of a forward proxy, unless the proxy has connected to itself.
    private func forward(_ socket: Int32, _ client: Endpoint, on link: ProxiedLink) {
        let isOwn = connections.values.contains { work in
            guard let connection = work as? ShapedConnection else { return false }
            return connection.clientSocket.standIn != nil && connection.server.local == client
        }
        guard !isOwn else {
            say("\(client): the proxy was asked to connect to itself; the connection is reset")
            return ssock_reset(socket)
        }
        let id = newID()
        let forwarded = ForwardClient(id, client, on: link, engine: self, socket: socket)
        link.forwarded[id] = forwarded
        connections[id] = forwarded
        _ = poller.watch(socket, tag: id << 1 | ProxyEnd.client.rawValue)
        enqueue(id)
    }

    /// Removes a client of a forward proxy.
    func ended(_ forwarded: ForwardClient) {
        forwarded.link.forwarded[forwarded.id] = nil
        connections[forwarded.id] = nil
    }

    private func newID() -> UInt64 {
        defer { nextID += 1 }
        return nextID
    }

    /// Calls `body` on this thread after a delay.
    func call(in delay: Duration, _ body: @escaping () -> Void) {
        timers.schedule(.call(body), at: Instant(nanoseconds: ssock_now()) + delay)
    }

    /// Resumes a connection after a pause.
    func wake(_ record: ConnectionRecord, in pause: Duration) {
        guard let id = ids[ObjectIdentifier(record)] else { return }
        timers.schedule(.wake(id), at: Instant(nanoseconds: ssock_now()) + pause)
    }

    /// Watches a socket of a connection.
    func watch(_ socket: Int32, _ record: ConnectionRecord, _ end: ProxyEnd) {
        guard let id = ids[ObjectIdentifier(record)] else { return }
        _ = poller.watch(socket, tag: id << 1 | end.rawValue)
    }

    /// Removes a connection, whose sockets are closed.
    func ended(_ record: ConnectionRecord, on link: ProxiedLink, _ reason: ConnectionEnding) {
        guard let id = ids.removeValue(forKey: ObjectIdentifier(record)) else { return }
        connections[id] = nil
        happened(
            .linkClosed(
                link: link.name,
                connection: record.number,
                reason: "\(reason)",
                down: record.bytes.down,
                up: record.bytes.up,
                seconds: (link.now - record.began).seconds
            )
        )
    }

    /// Replaces the spliced connections of a link by shaped ones.
    private func shape(_ link: ProxiedLink) {
        for (_, spliced) in link.spliced.sorted(by: { $0.key < $1.key }) {
            guard let id = ids[ObjectIdentifier(spliced.record)] else { continue }
            let sockets = spliced.handOver()
            let shaped = ShapedConnection(
                spliced.record,
                on: link,
                engine: self,
                client: ProxiedSocket(sockets.client),
                server: sockets.server
            )
            shaped.adopt(down: sockets.down, up: sockets.up)
            link.shaped[shaped.connection] = shaped
            connections[id] = shaped
            enqueue(id)
        }
        link.spliced = [:]
    }

    /// Changes a link.
    func change(_ link: ProxiedLink, _ change: (ProxiedLink) -> Void) {
        change(link)
        if !link.isTransparent { shape(link) }
        happened(.linkChanged(link: link.name, network: link.profile.name))
    }

    func link(_ name: String) -> ProxiedLink? { links.first { $0.name == name } }

    /// Removes a link: resets its connections and closes its listeners.
    func remove(_ link: ProxiedLink) {
        for route in link.routes {
            poller.unwatch(route.listener)
            close(route.listener)
            listeners[route.tag] = nil
        }
        for forwarded in link.forwarded.values { forwarded.kill(.linkRemoved) }
        for connection in link.connections { connection.kill(.linkRemoved) }
        links.removeAll { $0 === link }
        scheduled.removeAll { $0.link == link.name }
    }

    /// Schedules a change.
    func schedule(_ change: ScheduledChange, in delay: Duration) {
        scheduled.append(change)
        timers.schedule(.change(change.number), at: Instant(nanoseconds: ssock_now()) + delay)
    }

    /// Cancels all scheduled changes.
    func unschedule() { scheduled = [] }

    /// Adds a link with bound listeners.
    func add(_ plan: LinkPlan, _ listening: [BoundRoute]) {
        let link = ProxiedLink(plan)
        _ = link.advance(to: ssock_now())
        links.append(link)
        for route in listening {
            let tag = nextID << 1
            nextID += 1
            poller.watchLevel(route.listener, tag: tag)
            let made = ProxiedLink.Route(
                listener: route.listener,
                tag: tag,
                bound: route.bound,
                upstream: route.upstream
            )
            link.routes.append(made)
            listeners[tag] = (link, made)
        }
    }
}
