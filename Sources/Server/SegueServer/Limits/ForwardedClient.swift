/// Whose request it is that a reverse proxy hands on.
///
/// Each proxy appends the address that it was asked from, so what stands last is known best: from there on backwards, the
/// first that is none of the trusted proxies is the client. What stands before may have been made up by it.
enum ForwardedClient {
    /// How many hops are looked at; more proxies of one's own are none.
    private static let mostHops = 16

    /// The client of a request.
    ///
    /// - Parameters:
    ///   - peer: Whom the connection is with.
    ///   - trusted: The proxies whose word is taken.
    ///   - field: The values of all header fields with a name, in their order; asked for only where the peer is trusted.
    /// - Returns: The client, which is a proxy itself where that says nothing that can be read.
    static func client(
        of peer: ClientAddress,
        trusted: [AddressRange],
        field: (_ name: String) -> [String]
    ) -> ClientAddress {
        guard !trusted.isEmpty, isTrusted(peer, trusted) else { return peer }
        // Proxies that write one of the two hand on what a client has made up in the other: the one that nearly all write
        // goes before.
        var hops = field("X-Forwarded-For").flatMap { $0.split(separator: ",") }.map(trimmed)
        if hops.isEmpty { hops = field("Forwarded").flatMap { $0.split(separator: ",") }.map(node) }
        var client = peer
        for hop in hops.suffix(mostHops).reversed() {
            guard let address = ClientAddress(hop) else { return client }
            client = address
            guard isTrusted(address, trusted) else { return client }
        }
        return client
    }

    private static func isTrusted(_ address: ClientAddress, _ trusted: [AddressRange]) -> Bool {
        trusted.contains { $0.contains(address) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// What an element of `Forwarded` says after `for=` (RFC 7239, section 4); empty where it does not.
    private static func node(_ element: Substring) -> Substring {
        for pair in element.split(separator: ";") {
            let parts = trimmed(pair).split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "for" else { continue }
            var value = parts[1]
            if value.first == "\"", value.last == "\"", value.count > 1 { value = value.dropFirst().dropLast() }
            return value
        }
        return ""
    }
}
