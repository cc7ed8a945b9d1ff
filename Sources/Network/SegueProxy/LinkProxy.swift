internal import CSegueSystem
internal import Foundation
internal import Glibc
internal import Synchronization

/// A proxy on its own thread, for any number of links.
package final class LinkProxy: Sendable {
    typealias Command = @Sendable (ProxyEngine) -> Void

    private struct Shared {
        var commands: [Command] = []
        var hasEnded = false
        var awaiting: [CheckedContinuation<Void, Never>] = []
    }

    private let bell: Int32
    private let shared = Mutex(Shared())

    /// Starts a proxy without links.
    ///
    /// - Parameters:
    ///   - observer: The receiver of events.
    ///   - stopsOnSignals: True if SIGINT and SIGTERM stop the proxy instead of the process.
    /// - Throws: ``ProxyError`` if the system has no descriptors left.
    package init(observer: ProxyObserver = ProxyObserver(), stopsOnSignals: Bool = false) throws {
        _ = ssock_raise_descriptor_limit()
        let bell = ssock_bell()
        guard bell >= 0 else { throw ProxyError(.other, of: "proxy", SystemError.words(-bell)) }
        self.bell = bell
        if stopsOnSignals { ssock_ring_on_signals(bell) }
        // The thread keeps the proxy alive until it is stopped.
        let thread = Thread { [self] in
            _ = ssock_prepare_thread()
            let commands = ProxyEngine.Commands(
                bell: bell,
                post: { [self] in post($0) },
                takeAll: { [self] in takeCommands() }
            )
            let engine = try? ProxyEngine(observer: observer, commands: commands)
            engine?.run()
            end()
        }
        thread.name = "segue-link"
        thread.start()
    }

    deinit { close(bell) }

    /// Adds a link and its listeners.
    ///
    /// - Returns: The addresses of the listeners, in the order of the routes.
    /// - Throws: ``ProxyError`` if a listener cannot be created, a server's name cannot be resolved, or the link's name
    ///   is in use.
    package func add(_ plan: LinkPlan) async throws -> [Endpoint] {
        let routes = try BoundRoute.all(plan.routes)
        let isAdded = await perform { engine in
            guard !engine.links.contains(where: { $0.name == plan.name }) else { return false }
            engine.add(plan, routes)
            return true
        }
        guard isAdded == true else {
            for route in routes { close(route.listener) }
            throw isAdded == nil
                ? ProxyError(.ended, of: plan.name, "the proxy has ended")
                : ProxyError(.nameTaken, of: plan.name, "a link with this name exists already")
        }
        return routes.map(\.bound)
    }

    /// Resets all connections, closes the listeners, and waits for the thread.
    package func stop() async {
        post { $0.stop() }
        await ended()
    }

    /// Waits for the end of the thread.
    package func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = shared.withLock { shared in
                if !shared.hasEnded { shared.awaiting.append(continuation) }
                return shared.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Runs a command on the proxy's thread between two iterations, and waits for it.
    ///
    /// - Returns: The result; nil if the proxy has ended.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (ProxyEngine) -> Result) async -> Result? {
        let (stream, continuation) = AsyncStream.makeStream(of: Result.self)
        let isPosted = post { engine in
            continuation.yield(body(engine))
            continuation.finish()
        }
        guard isPosted else { return nil }
        // A command that is dropped at the end releases the continuation, which ends the stream.
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }

    @discardableResult
    func post(_ command: @escaping Command) -> Bool {
        let isPosted = shared.withLock { shared in
            guard !shared.hasEnded else { return false }
            shared.commands.append(command)
            return true
        }
        if isPosted { ssock_ring(bell) }
        return isPosted
    }

    private func takeCommands() -> [Command] {
        shared.withLock { shared in
            defer { shared.commands = [] }
            return shared.commands
        }
    }

    private func end() {
        let awaiting = shared.withLock { shared in
            shared.hasEnded = true
            shared.commands = []
            defer { shared.awaiting = [] }
            return shared.awaiting
        }
        for continuation in awaiting { continuation.resume() }
    }
}
