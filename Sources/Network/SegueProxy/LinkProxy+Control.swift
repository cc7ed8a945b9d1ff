internal import SegueBase
package import SegueNetworkModel

/// Changes during operation, each between two iterations of the proxy's thread.
extension LinkProxy {
    /// Returns the status of all links, in the order of their addition.
    ///
    /// - Throws: ``ProxyError`` if the proxy has ended.
    package func status() async throws -> [LinkStatus] {
        guard let status = await perform({ $0.links.map(\.status) }) else { throw Self.ended }
        return status
    }

    /// Returns the status of a link.
    ///
    /// - Throws: ``ProxyError`` for an unknown name.
    package func status(_ name: String) async throws -> LinkStatus {
        guard let status = try await status().first(where: { $0.name == name }) else { throw Self.unknown(name) }
        return status
    }

    /// Switches a link to another network; its connections stay.
    ///
    /// - Parameters:
    ///   - delay: The delay of the change; nil for none.
    /// - Throws: ``ProxyError`` for an unknown name.
    package func change(_ name: String, to network: LinkProfile, in delay: Duration? = nil) async throws {
        try await withLink(name) { engine, link in
            guard let delay else { return engine.change(link) { $0.become(network) } }
            let number = (engine.scheduled.map(\.number).max() ?? 0) + 1
            engine.schedule(ScheduledChange(number: number, link: name, network: network), in: delay)
        }
    }

    /// Replaces the faults of a link.
    ///
    /// - Throws: ``ProxyError`` for an unknown name.
    package func setFaults(_ faults: [RequestFault], of name: String) async throws {
        try await withLink(name) { engine, link in engine.change(link) { $0.setFaults(faults) } }
    }

    /// Removes a link: resets its connections and closes its listeners.
    ///
    /// - Throws: ``ProxyError`` for an unknown name.
    package func remove(_ name: String) async throws {
        try await withLink(name) { engine, link in engine.remove(link) }
    }

    /// Resets all connections of a link.
    ///
    /// - Throws: ``ProxyError`` for an unknown name.
    package func disconnect(_ name: String) async throws {
        try await withLink(name) { _, link in
            for forwarded in link.forwarded.values { forwarded.kill(.disconnected) }
            for connection in link.connections { connection.kill(.disconnected) }
        }
    }

    /// Returns every link to its initial network, and cancels scheduled changes.
    ///
    /// - Throws: ``ProxyError`` if the proxy has ended.
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

    private static let ended = ProxyError(.ended, of: "proxy", "the proxy has ended")

    private static func unknown(_ name: String) -> ProxyError {
        ProxyError(.unknownName, of: name, "there is no link with this name")
    }
}
