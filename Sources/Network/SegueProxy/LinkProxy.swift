internal import CSegueSystem
internal import Foundation
internal import Glibc
internal import Synchronization

/// A proxy that runs on a thread of its own, for any number of links.
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
    ///   - observer: Whom it tells what happens.
    ///   - stopsOnSignals: Whether SIGINT and SIGTERM stop it, and nothing else.
    /// - Throws: ``ProxyError`` when the system has no descriptors for it.
    package init(observer: ProxyObserver = ProxyObserver(), stopsOnSignals: Bool = false) throws {
        _ = ssock_raise_descriptor_limit()
        let bell = ssock_bell()
        guard bell >= 0 else { throw ProxyError(.other, "proxy", SystemError.words(-bell)) }
        self.bell = bell
        if stopsOnSignals { ssock_ring_on_signals(bell) }
        // The thread keeps the proxy until it is stopped.
        let thread = Thread { [self] in
            _ = ssock_prepare_thread()
            let engine = try? ProxyEngine(
                observer: observer,
                bell: bell,
                post: { [self] in post($0) },
                takeCommands: { [self] in takeCommands() }
            )
            engine?.run()
            end()
        }
        thread.name = "segue-link"
        thread.start()
    }

    deinit { close(bell) }

    /// Adds a link and listens for it.
    ///
    /// - Returns: Where it listens, in the order of its routes.
    /// - Throws: ``ProxyError`` when it cannot listen, a server's name is unknown or the link's is taken.
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
                ? ProxyError(.ended, plan.name, "the proxy has ended")
                : ProxyError(.nameTaken, plan.name, "there is a link of this name")
        }
        return routes.map(\.bound)
    }

    /// Resets all connections, closes the listeners, and returns when the thread has ended.
    package func stop() async {
        post { $0.stop() }
        await ended()
    }

    /// Returns when the thread has ended.
    package func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = shared.withLock { shared in
                if !shared.hasEnded { shared.awaiting.append(continuation) }
                return shared.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Has something done on the proxy's thread, between two turns, and waits for it.
    ///
    /// - Returns: What it returned; nil where the proxy has ended.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (ProxyEngine) -> Result) async -> Result? {
        let (stream, continuation) = AsyncStream.makeStream(of: Result.self)
        let isPosted = post { engine in
            continuation.yield(body(engine))
            continuation.finish()
        }
        guard isPosted else { return nil }
        // A command that is dropped at the end lets go of the continuation, which ends the stream.
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
