import SegueBase

/// Who wants to be told of a service's changes (GENA, UPnP Device Architecture 1.1, section 4).
package struct Subscriptions: Sendable {
    /// Something to be sent to a subscriber: a `NOTIFY` with a body.
    package struct Notice: Sendable, Equatable {
        /// Where to.
        package var url: String
        /// Whose subscription.
        package var id: String
        /// Its number among those of the subscription.
        package var number: UInt32
        /// The body.
        package var body: String
    }

    /// Why there is no subscription: a status of HTTP's.
    package enum Refusal: Int, Error, Sendable {
        /// Fields that do not go together.
        case badRequest = 400
        /// No such subscription, or nowhere to send to that is the subscriber's own.
        case preconditionFailed = 412
        /// There are as many as are kept.
        case unavailable = 503
    }

    /// The most that are kept, and of one address.
    package enum Limit {
        /// Subscriptions.
        package static let all = 64
        /// Subscriptions of one address.
        package static let ofOne = 8
    }

    /// How long a subscription holds that is not renewed, in seconds.
    package static let seconds = 1800

    private struct Entry {
        var url: String
        var address: String
        var end: Duration
        var number: UInt32 = 0
    }

    private var entries: [String: Entry] = [:]

    /// No subscriptions.
    package init() {}

    /// How many there are.
    package var count: Int { entries.count }

    /// Begins a subscription.
    ///
    /// - Parameters:
    ///   - callback: The field `CALLBACK`: addresses in angle brackets. The first is taken that leads to the subscriber
    ///     itself, as nobody may have others sent something (CVE-2020-12695).
    ///   - address: The address from which the request came.
    ///   - id: What it shall be called; nobody else may have been given it.
    ///   - body: What holds now.
    ///   - now: The time since any moment.
    /// - Returns: What is sent first.
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

    /// Has a subscription hold on.
    ///
    /// - Throws: ``Refusal`` where there is no such subscription of this address.
    package mutating func renew(_ id: String, from address: String, at now: Duration) throws(Refusal) {
        expire(at: now)
        guard entries[id]?.address == address else { throw .preconditionFailed }
        entries[id]?.end = now + .seconds(Self.seconds)
    }

    /// Ends a subscription.
    ///
    /// - Throws: ``Refusal`` where there is no such subscription of this address.
    package mutating func end(_ id: String, from address: String) throws(Refusal) {
        guard entries[id]?.address == address else { throw .preconditionFailed }
        entries[id] = nil
    }

    /// What is sent to all when something has changed.
    package mutating func notices(_ body: String, at now: Duration) -> [Notice] {
        expire(at: now)
        return entries.keys.sorted().compactMap { next(for: $0, body) }
    }

    /// The body of a notice: variables with their values.
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
        // After the last number comes 1; 0 is the first notice of all alone.
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

    /// Whether an address of HTTP is at this very host, given as a number.
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
