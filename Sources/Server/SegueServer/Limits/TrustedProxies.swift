/// The header field in which a reverse proxy names its client.
package enum ForwardingField: String, Sendable, CaseIterable {
    /// The list of addresses that most proxies append to.
    case xForwardedFor = "x-forwarded-for"
    /// The standard field (RFC 7239).
    case forwarded

    /// The name as proxies write it.
    var name: String {
        switch self {
        case .xForwardedFor: "X-Forwarded-For"
        case .forwarded: "Forwarded"
        }
    }
}

/// The reverse proxies of a server, and the field in which they name the client of a request.
///
/// Each proxy appends the address of its peer, so the last address is the most reliable: the last one that is not a
/// trusted proxy is the client. The client may have forged the ones before.
package struct TrustedProxies: Sendable {
    /// The maximum number of hops that are evaluated.
    private static let hopLimit = 16

    /// The addresses of the proxies.
    package var ranges: [AddressRange]
    /// The field that the proxies write; nil if it is unknown.
    ///
    /// A proxy that writes one of the fields forwards the other one as the client forged it.
    package var field: ForwardingField?

    package init(_ ranges: [AddressRange] = [], field: ForwardingField? = nil) {
        (self.ranges, self.field) = (ranges, field)
    }

    func contains(_ address: ClientAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// Returns the client of a request.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - values: Returns the values of all header fields with a name, in order; called only if the peer is trusted.
    /// - Returns: The client; a proxy without a readable field is the client itself. All requests whose fields
    ///   contradict each other have one client, ``ClientAddress/none``, if ``field`` is nil.
    func client(of peer: ClientAddress, values: (_ name: String) -> [String]) -> ClientAddress {
        guard contains(peer) else { return peer }
        let clients = ForwardingField.allCases.filter { field == nil || $0 == field }.compactMap { field in
            let hops = Self.hops(values(field.name), of: field)
            return hops.isEmpty ? nil : client(of: peer, through: hops)
        }
        guard let client = clients.first else { return peer }
        return clients.allSatisfy { $0 == client } ? client : .none
    }

    private func client(of peer: ClientAddress, through hops: [Substring]) -> ClientAddress {
        var client = peer
        for hop in hops.suffix(Self.hopLimit).reversed() {
            guard let address = ClientAddress(hop) else { return client }
            client = address
            guard contains(address) else { return client }
        }
        return client
    }

    private static func hops(_ values: [String], of field: ForwardingField) -> [Substring] {
        let elements = values.flatMap { $0.split(separator: ",") }
        return switch field {
        case .xForwardedFor: elements.map(trimmed)
        case .forwarded: elements.map(node)
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// The value of `for=` in an element of `Forwarded` (RFC 7239, section 4); empty without one.
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
