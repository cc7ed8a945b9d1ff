internal import SegueBase
package import SegueNetworkModel

/// Changes while traffic flows: each takes place at once, between two turns of the proxy's thread.
extension LinkProxy {
    /// What all links are and have done, in the order in which they were added.
    ///
    /// - Throws: ``ProxyError`` when the proxy has ended.
    package func status() async throws -> [LinkStatus] {
        guard let status = await perform({ $0.links.map(\.status) }) else { throw Self.ended }
        return status
    }

    /// What a link is and has done.
    ///
    /// - Throws: ``ProxyError`` when there is none of this name.
    package func status(_ name: String) async throws -> LinkStatus {
        guard let status = try await status().first(where: { $0.name == name }) else { throw Self.unknown(name) }
        return status
    }

    /// Has a link become another network; its connections go on.
    ///
    /// - Parameters:
    ///   - name: The link.
    ///   - network: What it becomes.
    ///   - delay: In how long; nil for at once.
    /// - Throws: ``ProxyError`` when there is no link of this name.
    package func change(_ name: String, to network: LinkProfile, in delay: Duration? = nil) async throws {
        try await withLink(name) { engine, link in
            guard let delay else { return engine.change(link) { $0.become(network) } }
            let number = (engine.scheduled.map(\.number).max() ?? 0) + 1
            engine.schedule(ScheduledChange(number: number, link: name, network: network), in: delay)
        }
    }

    /// Has a link's requests meet other faults, and changes nothing else.
    ///
    /// - Throws: ``ProxyError`` when there is no link of this name.
    package func setFaults(_ faults: [RequestFault], of name: String) async throws {
        try await withLink(name) { engine, link in engine.change(link) { $0.setFaults(faults) } }
    }

    /// Ends a link: its connections are reset, its listeners closed.
    ///
    /// - Throws: ``ProxyError`` when there is no link of this name.
    package func remove(_ name: String) async throws {
        try await withLink(name) { engine, link in engine.remove(link) }
    }

    /// Breaks all connections of a link off.
    ///
    /// - Throws: ``ProxyError`` when there is no link of this name.
    package func disconnect(_ name: String) async throws {
        try await withLink(name) { _, link in
            for forwarded in link.forwarded.values { forwarded.kill("disconnected") }
            for connection in link.connections { connection.kill("disconnected") }
        }
    }

    /// Has every link become what it was in the beginning, and forgets what was to come.
    ///
    /// - Throws: ``ProxyError`` when the proxy has ended.
    package func resetAll() async throws {
        let done = await perform { engine in
            engine.unschedule()
            for link in engine.links { engine.change(link) { $0.reset() } }
            return true
        }
        guard done != nil else { throw Self.ended }
    }

    private func withLink(
        _ name: String,
        _ body: @escaping @Sendable (ProxyEngine, ProxiedLink) -> Void
    ) async throws {
        let found = await perform { engine in
            guard let link = engine.link(name) else { return false }
            body(engine, link)
            return true
        }
        guard let found else { throw Self.ended }
        guard found else { throw Self.unknown(name) }
    }

    private static let ended = ProxyError(.ended, "proxy", "it has ended")

    private static func unknown(_ name: String) -> ProxyError {
        ProxyError(.unknownName, name, "there is no link of this name")
    }
}
