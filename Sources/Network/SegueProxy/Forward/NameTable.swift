internal import Foundation
internal import SegueBase
internal import SegueNetworkModel

/// The DNS cache of a link's forward proxies.
struct NameTable {
    /// The time for which an entry is valid.
    static let timeToLive = Duration.seconds(60)
    /// The maximum number of entries.
    private static let most = 1000

    /// The result of a resolution.
    typealias Answer = Result<[SocketAddress], ProxyError>

    /// A running resolution.
    final class Lookup {
        let host: String
        var answer: Answer?
        /// True if query and response have crossed the link.
        var hasCrossed = false
        var waiting: [(Answer) -> Void] = []

        init(_ host: String) { self.host = host }

        /// Reports the result, when it has been found and has crossed the link.
        func settle() {
            guard let answer, hasCrossed else { return }
            defer { waiting = [] }
            for told in waiting { told(answer) }
        }
    }

    private var known: [String: (addresses: [SocketAddress], until: Instant)] = [:]
    private var lookups: [String: Lookup] = [:]
    private var questions: [LinkConnection: Lookup] = [:]

    /// The cached addresses of a name.
    func addresses(of host: String, at now: Instant) -> [SocketAddress]? {
        known[host].flatMap { $0.until > now ? $0.addresses : nil }
    }

    /// The running resolution of a name.
    func lookup(of host: String) -> Lookup? { lookups[host] }

    /// Adds a resolution, with its query on the link if there is one.
    mutating func begin(_ lookup: Lookup, _ question: LinkConnection?) {
        lookups[lookup.host] = lookup
        if let question { questions[question] = lookup }
    }

    /// Removes a resolution, and caches its result.
    mutating func end(_ lookup: Lookup, at now: Instant) {
        lookups[lookup.host] = nil
        guard case .success(let addresses) = lookup.answer else { return }
        if known.count >= Self.most { known = known.filter { $0.value.until > now } }
        if known.count < Self.most { known[lookup.host] = (addresses, now + Self.timeToLive) }
    }

    /// Processes an action of the link on a query.
    ///
    /// - Returns: The resolution, which must be settled.
    mutating func ended(_ effect: Relay.Effect) -> Lookup? {
        guard let lookup = questions.removeValue(forKey: effect.connection) else { return nil }
        if case .unanswered = effect {
            lookup.answer = .failure(
                ProxyError(.noSuchAddress, lookup.host, "the DNS query over the network was not answered")
            )
        }
        lookup.hasCrossed = true
        return lookup
    }
}

/// The resolutions by the system's resolver, each on its own thread.
struct NameLookups {
    /// The maximum number of concurrent resolutions.
    static let most = 16
    /// The time limit of a resolution.
    static let patience = Duration.seconds(10)

    private var running: [Int: NameTable.Lookup] = [:]
    private var waiting: [NameTable.Lookup] = []
    private var threads = 0
    private var count = 0

    /// The next resolution to start, with its number.
    mutating func next() -> (number: Int, lookup: NameTable.Lookup)? {
        guard threads < Self.most, !waiting.isEmpty else { return nil }
        threads += 1
        count += 1
        let lookup = waiting.removeFirst()
        running[count] = lookup
        return (count, lookup)
    }

    mutating func add(_ lookup: NameTable.Lookup) { waiting.append(lookup) }

    /// Records the end of a thread.
    mutating func ended(_ number: Int) -> NameTable.Lookup? {
        threads -= 1
        return running.removeValue(forKey: number)
    }
}

extension ProxyEngine {
    /// Resolves a server's name, over the link unless it is cached.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - told: Receives the result, at once or later.
    func resolve(_ host: String, on link: ProxiedLink, _ told: @escaping (NameTable.Answer) -> Void) {
        let host = host.lowercased()
        if SocketAddress.isNumeric(host) {
            // An address needs no query.
            let numeric = Endpoint(host: host, port: 0)
            return told(
                Result { () throws(ProxyError) in try SocketAddress.resolve(numeric, toListen: false) }
            )
        }
        if let known = link.names.addresses(of: host, at: link.now) { return told(.success(known)) }
        if let lookup = link.names.lookup(of: host) { return lookup.waiting.append(told) }
        let lookup = NameTable.Lookup(host)
        lookup.waiting = [{ [weak link] _ in link?.names.end(lookup, at: link?.now ?? .zero) }, told]
        let isOwn = host == "localhost" || host.hasSuffix(".localhost")
        let fixed = link.profile.dns
        lookup.hasCrossed = !link.forwarding.shapesNames || isOwn
        let asks = !lookup.hasCrossed && fixed == .zero
        link.names.begin(lookup, asks ? link.relay.ask(for: host, at: link.now) : nil)
        if !lookup.hasCrossed, !asks {
            call(in: fixed) {
                lookup.hasCrossed = true
                lookup.settle()
            }
        }
        call(in: NameLookups.patience) {
            guard lookup.answer == nil else { return }
            let words = "the name was not resolved within \(NameLookups.patience.components.seconds) s"
            lookup.answer = .failure(ProxyError(.noSuchAddress, host, words))
            lookup.settle()
        }
        lookups.add(lookup)
        startLookups()
    }

    private func startLookups() {
        while let (number, lookup) = lookups.next() {
            let (host, post) = (lookup.host, post)
            let thread = Thread {
                let found = Result { () throws(ProxyError) in
                    try SocketAddress.resolve(Endpoint(host: host, port: 0), toListen: false)
                }
                post { $0.lookedUp(number, found) }
            }
            thread.name = "segue-names"
            thread.start()
        }
    }

    private func lookedUp(_ number: Int, _ found: NameTable.Answer) {
        if let lookup = lookups.ended(number), lookup.answer == nil {
            lookup.answer = found.mapError { ProxyError($0.reason, lookup.host, $0.message) }
            lookup.settle()
        }
        startLookups()
    }
}
