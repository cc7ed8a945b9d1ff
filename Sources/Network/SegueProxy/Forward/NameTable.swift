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
                ProxyError(.noSuchAddress, of: lookup.host, "the DNS query over the network was not answered")
            )
        }
        lookup.hasCrossed = true
        return lookup
    }
}
