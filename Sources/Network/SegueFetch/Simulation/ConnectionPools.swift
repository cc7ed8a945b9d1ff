internal import SegueNetworkModel

/// The connections of a client to its hosts, and the requests that wait for one.
///
/// Requests share connections with those of the same lane; each lane has a pool for each host.
struct ConnectionPools {
    private static let connectionsPerHost = 6

    private struct Pool {
        /// The host and port.
        let authority: String
        var idle: [SimulatedLink.Connection] = []
        var open = 0
        var waiting: [SimulatedTransfer] = []
    }

    private var pools: [String: Pool] = [:]
    private var owners: [SimulatedLink.Connection: SimulatedTransfer] = [:]
    /// The resolved hosts, and those that are being resolved.
    private var resolved: Set<String> = []
    private var resolving: Set<String> = []

    // MARK: Requests

    /// Queues a request.
    mutating func enqueue(_ transfer: SimulatedTransfer) {
        pools[transfer.pool, default: Pool(authority: transfer.url.authority)].waiting.append(transfer)
    }

    /// Removes a request from the queue.
    mutating func dequeue(_ transfer: SimulatedTransfer) {
        pools[transfer.pool]?.waiting.removeAll { $0 === transfer }
    }

    /// Removes the next request from the queue; nil if there is none, or no connection for it.
    mutating func nextRequest(in pool: String) -> SimulatedTransfer? {
        guard let host = pools[pool], resolved.contains(host.authority), !host.waiting.isEmpty,
            !host.idle.isEmpty || host.open < Self.connectionsPerHost
        else { return nil }
        return pools[pool]?.waiting.removeFirst()
    }

    // MARK: Connections

    /// The request that a connection serves; nil for none.
    func owner(of connection: SimulatedLink.Connection) -> SimulatedTransfer? { owners[connection] }

    /// Assigns the oldest idle connection to a request; nil if there is none.
    mutating func takeIdle(for transfer: SimulatedTransfer) -> SimulatedLink.Connection? {
        guard let idle = pools[transfer.pool]?.idle, let oldest = idle.indices.min(by: { idle[$0] < idle[$1] }) else {
            return nil
        }
        pools[transfer.pool]?.idle.remove(at: oldest)
        owners[idle[oldest]] = transfer
        return idle[oldest]
    }

    /// Adds a new connection for a request.
    mutating func open(_ connection: SimulatedLink.Connection, for transfer: SimulatedTransfer) {
        pools[transfer.pool]?.open += 1
        owners[connection] = transfer
    }

    /// Ends the service of a connection to its request.
    mutating func release(_ connection: SimulatedLink.Connection) { owners[connection] = nil }

    /// Makes a released connection available for other requests.
    mutating func rest(_ connection: SimulatedLink.Connection, in pool: String) {
        pools[pool]?.idle.append(connection)
    }

    /// Removes a released connection.
    mutating func close(in pool: String) { pools[pool]?.open -= 1 }

    /// Removes an idle connection that has ended.
    mutating func lose(_ connection: SimulatedLink.Connection) {
        for (pool, host) in pools {
            guard let index = host.idle.firstIndex(of: connection) else { continue }
            pools[pool]?.idle.remove(at: index)
            pools[pool]?.open -= 1
        }
    }

    // MARK: Names

    /// Begins to resolve a host; returns whether it is neither resolved nor being resolved.
    mutating func resolve(_ authority: String) -> Bool {
        !resolved.contains(authority) && resolving.insert(authority).inserted
    }

    mutating func markResolved(_ authority: String) {
        resolving.remove(authority)
        resolved.insert(authority)
    }

    /// The pools with requests for a host, in the order of the requests, independent of the dictionary's order.
    func waitingPools(for authority: String) -> [String] {
        let waiting = pools.filter { $0.value.authority == authority && !$0.value.waiting.isEmpty }
        return waiting.sorted { $0.value.waiting[0].id.number < $1.value.waiting[0].id.number }.map(\.key)
    }
}
