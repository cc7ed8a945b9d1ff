internal import Dispatch
package import SegueNetworkModel

/// Blocking forms for callers without tasks, such as a forked process.
extension LinkProxy {
    /// The time limit of a command.
    private static let patience = DispatchTimeInterval.seconds(10)

    /// Adds a link and its listeners.
    ///
    /// - Returns: The addresses of the listeners, in the order of the routes.
    /// - Throws: ``ProxyError`` if a listener cannot be created, a server's name cannot be resolved, or the link's name
    ///   is in use.
    package func addAndWait(_ plan: LinkPlan) throws -> [Endpoint] {
        let routes = try BoundRoute.all(plan.routes)
        try wait(plan.name) { $0.add(plan, routes) }
        return routes.map(\.bound)
    }

    /// Switches a link to another network; its connections stay.
    ///
    /// - Throws: ``ProxyError`` if the proxy has ended.
    package func changeAndWait(_ name: String, to network: LinkProfile) throws {
        try wait(name) { engine in engine.link(name).map { engine.change($0) { $0.become(network) } } }
    }

    /// Replaces the faults of a link.
    ///
    /// - Throws: ``ProxyError`` if the proxy has ended.
    package func setFaultsAndWait(_ faults: [RequestFault], of name: String) throws {
        try wait(name) { engine in engine.link(name).map { engine.change($0) { $0.setFaults(faults) } } }
    }

    /// Resets all connections and closes the listeners; the thread ends soon.
    package func stopSoon() { post { $0.stop() } }

    private func wait(_ name: String, _ body: @escaping @Sendable (ProxyEngine) -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let isPosted = post { engine in
            body(engine)
            done.signal()
        }
        guard isPosted, done.wait(timeout: .now() + Self.patience) == .success else {
            throw ProxyError(.ended, of: name, "the proxy has ended")
        }
    }
}
