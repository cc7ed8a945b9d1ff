internal import Dispatch
package import SegueNetworkModel

/// The same for who has no tasks, such as a process that was forked: each waits until it is done.
extension LinkProxy {
    /// How long the proxy's thread may take to do something.
    private static let patience = DispatchTimeInterval.seconds(10)

    /// Adds a link and listens for it.
    ///
    /// - Returns: Where it listens, in the order of its routes.
    /// - Throws: ``ProxyError`` when it cannot listen, a server's name is unknown or the link's is taken.
    package func addAndWait(_ plan: LinkPlan) throws -> [Endpoint] {
        let routes = try BoundRoute.all(plan.routes)
        try wait(plan.name) { $0.add(plan, routes) }
        return routes.map(\.bound)
    }

    /// Has a link become another network; its connections go on.
    ///
    /// - Throws: ``ProxyError`` when the proxy has ended.
    package func changeAndWait(_ name: String, to network: LinkProfile) throws {
        try wait(name) { engine in engine.link(name).map { engine.change($0) { $0.become(network) } } }
    }

    /// Has a link's requests meet other faults, and changes nothing else.
    ///
    /// - Throws: ``ProxyError`` when the proxy has ended.
    package func setFaultsAndWait(_ faults: [RequestFault], of name: String) throws {
        try wait(name) { engine in engine.link(name).map { engine.change($0) { $0.setFaults(faults) } } }
    }

    /// Resets all connections and closes the listeners; its thread ends soon.
    package func stopSoon() { post { $0.stop() } }

    private func wait(_ name: String, _ body: @escaping @Sendable (ProxyEngine) -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let isPosted = post { engine in
            body(engine)
            done.signal()
        }
        guard isPosted, done.wait(timeout: .now() + Self.patience) == .success else {
            throw ProxyError(.ended, name, "the proxy has ended")
        }
    }
}
