internal import Foundation
internal import SegueBase
internal import SegueFetch

/// Parallel engines, one per lane: requests of one engine may share connections.
///
/// `engines` is accessed only with `lock` locked, which makes the type sendable. (An `NSLock`, as ThreadSanitizer does
/// not see through `Mutex`.)
final class CurlLanes: @unchecked Sendable {
    /// The maximum number of lanes, as each has a thread; further lanes share one.
    private static let most = 64

    private let recipient: FetchRecipient
    private let credentials: [String: FetchCredential]
    private let common: CurlEngine
    private let lock = NSLock()
    private var engines: [String: CurlEngine] = [:]

    init(_ recipient: FetchRecipient, credentials: [String: FetchCredential]) throws(FetchError) {
        (self.recipient, self.credentials) = (recipient, credentials)
        common = try CurlEngine(recipient, credentials: credentials)
        common.run()
    }

    deinit { stop() }

    func start(_ request: FetchRequest) { engine(of: request.lane).start(request) }

    /// Calls `body` with every engine, one of which may have a request.
    func forEach(_ body: (CurlEngine) -> Void) { for engine in all { body(engine) } }

    func stop() { forEach { $0.stop() } }

    private var all: [CurlEngine] {
        lock.lock()
        defer { lock.unlock() }
        return [common] + engines.values
    }

    private func engine(of lane: String) -> CurlEngine {
        lock.lock()
        defer { lock.unlock() }
        if lane.isEmpty { return common }
        if let engine = engines[lane] { return engine }
        guard engines.count < Self.most, let engine = try? CurlEngine(recipient, credentials: credentials) else {
            return common
        }
        engine.run()
        engines[lane] = engine
        return engine
    }
}
