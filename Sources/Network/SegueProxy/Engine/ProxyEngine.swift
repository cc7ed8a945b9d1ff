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

    enum Timer {
        case connectLimit(UInt64)
        case change(Int)
        case wake(UInt64)
        case call(() -> Void)
    }

    /// The commands of other threads.
    struct Commands {
        /// The descriptor that wakes the engine.
        let bell: Int32
        /// Runs a command on the engine's thread, from any other.
        let post: @Sendable (@escaping LinkProxy.Command) -> Void
        /// Removes the posted commands.
        let takeAll: () -> [LinkProxy.Command]
    }

    private static let bellTag: UInt64 = 0

    private let observer: ProxyObserver
    private let commands: Commands
    var poller: Poller
    var links: [ProxiedLink] = []
    var listeners: [UInt64: (link: ProxiedLink, route: ProxiedLink.Route)] = [:]
    var work = WorkTable()
    private(set) lazy var names = NameResolver(for: self)
    var timers = EventQueue<Timer>()
    private var requestCount = 0
    var scheduled: [ScheduledChange] = []
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
    let spare = SpareDescriptor()
    /// True while descriptors are exhausted, which is reported once.
    var isShort = false
    private var isStopping = false

    /// - Throws: ``ProxyError`` if the system has no descriptors left.
    init(observer: ProxyObserver, commands: Commands) throws(ProxyError) {
        (self.observer, self.commands) = (observer, commands)
        poller = try Poller()
        poller.watchLevel(commands.bell, tag: Self.bellTag)
    }

    deinit { bytes.deallocate() }

    /// Runs a command on this thread, from any other.
    var post: @Sendable (@escaping LinkProxy.Command) -> Void { commands.post }

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

    /// Returns whether the system may move the bytes of a link without inspection.
    func isSpliced(_ link: ProxiedLink) -> Bool { link.isTransparent && !observer.wantsRequests }

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
        for one in work.all { one.kill(.proxyEnded) }
        for route in listeners.values { close(route.route.listener) }
        for link in links where link.relay.lateness.total > 0 { happened(link.lateness) }
    }

    /// Runs the work that is ready.
    private func workOff() {
        for id in work.takeReady() { if let one = work[id], one.work() { enqueue(id) } }
    }

    /// Ends ``run()`` after the present iteration.
    func stop() { isStopping = true }

    private func patience() -> Duration? {
        guard work.isIdle else { return .zero }
        let next = links.compactMap(\.nextNanoseconds) + [timers.nextInstant?.nanoseconds].compactMap { $0 }
        return next.min().map { .nanoseconds(max(0, $0 - ssock_now())) }
    }

    private func handle(_ event: Poller.Event) {
        if event.tag == Self.bellTag {
            ssock_silence(commands.bell)
            if ssock_was_interrupted() != 0 { stop() }
            for command in commands.takeAll() { command(self) }
        } else if let (link, route) = listeners[event.tag] {
            // Earlier bytes of others precede the new client's handshake on the line.
            workOff()
            accept(on: route, link)
        } else if let one = work[event.tag >> 1], let end = ProxyEnd(rawValue: event.tag & 1) {
            one.note(event, of: end)
            enqueue(event.tag >> 1)
        }
    }

    private func fire(_ timer: Timer) {
        switch timer {
        case .connectLimit(let id):
            (work[id] as? any ProxyConnection)?.giveUpConnecting()
            enqueue(id)
        case .call(let body): body()
        case .wake(let id):
            (work[id] as? ShapedConnection)?.resume()
            enqueue(id)
        case .change(let number):
            guard let index = scheduled.firstIndex(where: { $0.number == number }) else { return }
            let due = scheduled.remove(at: index)
            guard let link = link(due.link) else { return }
            change(link) { $0.become(due.network) }
        }
    }

    /// Schedules work for the next iteration.
    func enqueue(_ id: UInt64) { work.enqueue(id) }

    /// Schedules a connection for the next iteration.
    func enqueue(_ record: ConnectionRecord) { if let id = work.number(of: record) { enqueue(id) } }

    /// Calls `body` on this thread after a delay.
    func call(in delay: Duration, _ body: @escaping () -> Void) {
        timers.schedule(.call(body), at: Instant(nanoseconds: ssock_now()) + delay)
    }

    /// Resumes a connection after a pause.
    func wake(_ record: ConnectionRecord, in pause: Duration) {
        guard let id = work.number(of: record) else { return }
        timers.schedule(.wake(id), at: Instant(nanoseconds: ssock_now()) + pause)
    }

    func watch(_ socket: Int32, of record: ConnectionRecord, _ end: ProxyEnd) {
        guard let id = work.number(of: record) else { return }
        _ = poller.watch(socket, tag: id << 1 | end.rawValue)
    }

    /// Removes a connection, whose sockets are closed.
    func ended(_ record: ConnectionRecord, on link: ProxiedLink, _ reason: ConnectionEnding) {
        guard work.remove(record) else { return }
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
}
