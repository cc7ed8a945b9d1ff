import HummingbirdCore
import NIOCore
import SegueBase
import SegueFFmpeg
import SegueOrigin
import Synchronization

/// The objects that all connections share, and their handlers.
final class ConnectionServices: Sendable {
    let limiter: ClientLimiter
    let figures = ExchangeMetrics()
    let connectionLimit: Int

    private let memory: MemoryTrimmer
    private let idleTimeLimit: TimeAmount
    private let minimumRate: Mutex<Int>
    private let log: AccessLog?

    init(_ configuration: OriginServer.Configuration, memory: MemoryTrimmer) {
        limiter = ClientLimiter(configuration.fairness.allowance, proxies: configuration.fairness.proxies)
        connectionLimit = DescriptorLimit.connections(configuration.connectionLimit, within: DescriptorLimit.raise())
        idleTimeLimit = .nanoseconds(configuration.idleTimeLimit.wholeNanoseconds)
        minimumRate = Mutex(configuration.fairness.minimumRate)
        log = configuration.fairness.log
        self.memory = memory
    }

    /// Replaces the limits; the minimum rate applies to new connections only.
    func change(_ settings: LiveSettings) {
        limiter.change(settings.allowance, proxies: settings.proxies)
        minimumRate.withLock { $0 = settings.minimumRate }
    }

    /// The handlers of a new connection, between HTTP's codec and the responder.
    func handlers() -> [any RemovableChannelHandler] {
        let report = { @Sendable [figures, log] (exchange: Exchange) in
            figures.add(exchange)
            log?.add(exchange)
        }
        let exchanges = Exchanges(limiter, report: report)
        return [
            ExchangeRecorder(exchanges, patience: idleTimeLimit),
            UnreadableRequests(),
            ConnectionMonitor(
                patience: idleTimeLimit,
                minimumRate: minimumRate.withLock { $0 },
                memory: memory,
                exchanges: exchanges
            ),
        ]
    }

    /// The first handler of a listening socket.
    var gate: AddressGate { AddressGate(limiter) }

    /// Inserts the handlers of a listening socket.
    func addAcceptHandlers(of channel: any Channel) async throws {
        try await channel.pipeline.addHandler(AcceptPause(), position: .first).get()
        try await channel.pipeline.addHandler(gate, position: .first).get()
    }

    func add(to text: inout MetricsText) {
        figures.add(to: &text)
        let refusals = limiter.refusals
        let kinds = AddressLimits.Kind.allCases
        text.add(
            "refused_total",
            as: .counter,
            help: "Rejected connections and requests of addresses above their limits, by kind and limit.",
            kinds.filter { $0 != .encodings && $0 != .requests }.map { kind in
                ([("what", "connection"), ("limit", kind.rawValue)], "\(refusals.connections[kind] ?? 0)")
            }
                + kinds.filter { $0 != .connections }.map { kind in
                    ([("what", "request"), ("limit", kind.rawValue)], "\(refusals.requests[kind] ?? 0)")
                }
        )
        text.add("connections", as: .gauge, help: "Open connections.", memory.connections)
        text.add("connections_limit", as: .gauge, help: "Maximum number of open connections.", connectionLimit)
        text.add(
            "client_addresses",
            as: .gauge,
            help: "Client addresses that are tracked for their limits.",
            limiter.addresses
        )
        if let log { text.add("access_log_lost_total", as: .counter, help: "Lost lines of the access log.", log.lost) }
        ProcessMetrics.now().add(to: &text)
    }
}
