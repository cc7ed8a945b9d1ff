/// The client of a request behind reverse proxies.
///
/// Each proxy appends the address of its peer, so the last address is the most reliable: the last one that is not a
/// trusted proxy is the client. The client may have forged the ones before.
enum ForwardedClient {
    /// The maximum number of hops that are evaluated.
    private static let hopLimit = 16

    /// Returns the client of a request.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - field: Returns the values of all header fields with a name, in order; called only if the peer is trusted.
    /// - Returns: The client; a proxy without a readable field is the client itself.
    static func client(
        of peer: ClientAddress,
        trusted: [AddressRange],
        field: (_ name: String) -> [String]
    ) -> ClientAddress {
        guard !trusted.isEmpty, isTrusted(peer, trusted) else { return peer }
        // A proxy that writes one of the two fields forwards a forged other one, so the more common field has
        // priority.
        var hops = field("X-Forwarded-For").flatMap { $0.split(separator: ",") }.map(trimmed)
        if hops.isEmpty { hops = field("Forwarded").flatMap { $0.split(separator: ",") }.map(node) }
        var client = peer
        for hop in hops.suffix(hopLimit).reversed() {
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
