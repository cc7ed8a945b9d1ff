internal import Foundation
internal import SegueBase
internal import SegueNetworkModel

/// Resolves the names of servers for forward proxies by the system's resolver, each on its own thread.
final class NameResolver {
    /// The maximum number of concurrent resolutions.
    private static let most = 16
    /// The time limit of a resolution.
    private static let patience = Duration.seconds(10)

    private unowned let engine: ProxyEngine
    private var running: [Int: NameTable.Lookup] = [:]
    private var waiting: [NameTable.Lookup] = []
    private var threads = 0
    private var count = 0

    init(for engine: ProxyEngine) { self.engine = engine }

    /// Resolves a server's name, over the link unless it is cached.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - completion: Receives the result, at once or later.
    func resolve(_ host: String, on link: ProxiedLink, completion: @escaping (NameTable.Answer) -> Void) {
        let host = host.lowercased()
        if SocketAddress.isNumeric(host) {
            // An address needs no query.
            let numeric = Endpoint(host: host, port: 0)
            return completion(
                Result { () throws(ProxyError) in try SocketAddress.resolve(numeric, toListen: false) }
            )
        }
        if let known = link.names.addresses(of: host, at: link.now) { return completion(.success(known)) }
        if let lookup = link.names.lookup(of: host) { return lookup.waiting.append(completion) }
        let lookup = NameTable.Lookup(host)
        lookup.waiting = [{ [weak link] _ in link?.names.end(lookup, at: link?.now ?? .zero) }, completion]
        let isOwn = host == "localhost" || host.hasSuffix(".localhost")
        let fixed = link.profile.dns
        lookup.hasCrossed = !link.forwarding.shapesNames || isOwn
        let asks = !lookup.hasCrossed && fixed == .zero
        link.names.begin(lookup, asks ? link.relay.ask(for: host, at: link.now) : nil)
        if !lookup.hasCrossed, !asks {
            engine.call(in: fixed) {
                lookup.hasCrossed = true
                lookup.settle()
            }
        }
        engine.call(in: Self.patience) {
            guard lookup.answer == nil else { return }
            let words = "the name was not resolved within \(Self.patience.components.seconds) s"
            lookup.answer = .failure(ProxyError(.noSuchAddress, of: host, words))
            lookup.settle()
        }
        waiting.append(lookup)
        startLookups()
    }

    private func startLookups() {
        while let (number, lookup) = next() {
            let (host, post) = (lookup.host, engine.post)
            let thread = Thread {
                let found = Result { () throws(ProxyError) in
                    try SocketAddress.resolve(Endpoint(host: host, port: 0), toListen: false)
                }
                post { $0.names.ended(number, found) }
            }
            thread.name = "segue-names"
            thread.start()
        }
    }

    /// Removes the next resolution to start, with its number; nil if there is none, or no thread for it.
    private func next() -> (number: Int, lookup: NameTable.Lookup)? {
        guard threads < Self.most, !waiting.isEmpty else { return nil }
        threads += 1
        count += 1
        let lookup = waiting.removeFirst()
        running[count] = lookup
        return (count, lookup)
    }

    /// Handles the end of a thread.
    private func ended(_ number: Int, _ found: NameTable.Answer) {
        threads -= 1
        if let lookup = running.removeValue(forKey: number), lookup.answer == nil {
            lookup.answer = found.mapError { ProxyError($0.reason, of: lookup.host, $0.message) }
            lookup.settle()
        }
        startLookups()
    }
}
