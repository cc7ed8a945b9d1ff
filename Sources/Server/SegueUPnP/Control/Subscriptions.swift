import SegueBase

/// The subscriptions to a service's changes (GENA, UPnP Device Architecture 1.1, section 4).
package struct Subscriptions: Sendable {
    /// A `NOTIFY` request to a subscriber.
    package struct Notice: Sendable, Equatable {
        package var url: String
        /// The id of the subscription.
        package var id: String
        /// The sequence number within the subscription.
        package var number: UInt32
        package var body: String
    }

    /// A rejected subscription, with the HTTP status.
    package enum Refusal: Int, Error, Sendable {
        /// Contradictory header fields.
        case badRequest = 400
        /// An unknown subscription, or a callback that is not at the subscriber's address.
        case preconditionFailed = 412
        /// The limit is reached.
        case unavailable = 503
    }

    /// The maximum numbers of subscriptions.
    package enum Limit {
        package static let all = 64
        /// The subscriptions of one address.
        package static let ofOne = 8
    }

    /// The duration of a subscription without renewal, in seconds.
    package static let seconds = 1800

    private struct Entry {
        var url: String
        var address: String
        var end: Duration
        var number: UInt32 = 0
    }

    private var entries: [String: Entry] = [:]

    package init() {}

    package var count: Int { entries.count }

    /// Begins a subscription.
    ///
    /// - Parameters:
    ///   - callback: The `CALLBACK` field: URLs in angle brackets. The first one at the subscriber's own address is
    ///     used, so that a server cannot be abused against others (CVE-2020-12695).
    ///   - address: The address of the request's client.
    ///   - id: A new unique id.
    /// - Returns: The initial notice.
    /// - Throws: ``Refusal``.
    package mutating func begin(
        callback: String?,
        from address: String,
        id: String,
        body: String,
        at now: Duration
    ) throws(Refusal) -> Notice {
        expire(at: now)
        guard let url = Self.urls(callback ?? "").first(where: { Self.leads($0, to: address) }) else {
            throw .preconditionFailed
        }
        guard entries.count < Limit.all, entries.values.count(where: { $0.address == address }) < Limit.ofOne else {
            throw .unavailable
        }
        entries[id] = Entry(url: url, address: address, end: now + .seconds(Self.seconds))
        return next(for: id, body) ?? Notice(url: url, id: id, number: 0, body: body)
    }

    /// Renews a subscription.
    ///
    /// - Throws: ``Refusal`` if this address has no such subscription.
    package mutating func renew(_ id: String, from address: String, at now: Duration) throws(Refusal) {
        expire(at: now)
        guard entries[id]?.address == address else { throw .preconditionFailed }
        entries[id]?.end = now + .seconds(Self.seconds)
    }

    /// Ends a subscription.
    ///
    /// - Throws: ``Refusal`` if this address has no such subscription.
    package mutating func end(_ id: String, from address: String) throws(Refusal) {
        guard entries[id]?.address == address else { throw .preconditionFailed }
        entries[id] = nil
    }

    /// Returns the notices of a change.
    package mutating func notices(_ body: String, at now: Duration) -> [Notice] {
        expire(at: now)
        return entries.keys.sorted().compactMap { next(for: $0, body) }
    }

    /// The body of a notice with the values of variables.
    package static func body(_ variables: [(name: String, value: String)]) -> String {
        let properties = variables.map { name, value in
            "<e:property><\(name)>\(MarkupText.escaped(value))</\(name)></e:property>"
        }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0">\(properties.joined())</e:propertyset>

            """
    }

    private mutating func next(for id: String, _ body: String) -> Notice? {
        guard let entry = entries[id] else { return nil }
        // The number wraps around to 1; 0 marks the initial notice.
        entries[id]?.number = entry.number == .max ? 1 : entry.number + 1
        return Notice(url: entry.url, id: id, number: entry.number, body: body)
    }

    private mutating func expire(at now: Duration) { entries = entries.filter { $0.value.end > now } }

    private static func urls(_ callback: String) -> [String] {
        guard callback.utf8.count <= 2048 else { return [] }
        return callback.split(separator: "<").dropFirst(callback.hasPrefix("<") ? 0 : 1).compactMap { part in
            part.firstIndex(of: ">").map { String(part[..<$0]) }
        }
    }

    /// Returns true if a URL's host is this numeric address.
    private static func leads(_ url: String, to address: String) -> Bool {
        guard url.lowercased().hasPrefix("http://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return false
        }
        let authority = url.dropFirst("http://".count).prefix { !"/?#".contains($0) }
        let host = address.contains(":") ? "[\(address)]" : address
        guard authority.hasPrefix(host) else { return false }
        let rest = authority.dropFirst(host.count)
        guard !rest.isEmpty else { return true }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()) else { return false }
        return port > 0
    }
}
