/// The address at which other devices reach the server.
enum PageAddress {
    /// Returns the address in the request's `Host` field, or one of this machine's own if the field names loopback.
    ///
    /// - Parameters:
    ///   - host: The `Host` field. The client controls it, so any text other than a host's gives nil.
    ///   - localAddresses: Returns this machine's addresses in the network; called only if they are needed.
    /// - Returns: A URL without a path; nil if no address is known.
    static func best(host: String?, localAddresses: () -> [String]) -> String? {
        guard let host, (1...255).contains(host.utf8.count), host.utf8.allSatisfy(isPlain) else { return nil }
        let (name, port) = split(host)
        guard isLoopback(name) else { return "http://\(host)" }
        return localAddresses().first.map { "http://\($0)\(port)" }
    }

    /// Returns the name, and the port with its colon.
    private static func split(_ host: String) -> (name: Substring, port: Substring) {
        let end =
            host.hasPrefix("[") ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
        guard let end else { return (host[...], "") }
        return (host[..<end], host[end...])
    }

    private static func isLoopback(_ name: Substring) -> Bool {
        name == "localhost" || name == "[::1]" || name == "0.0.0.0" || name.hasPrefix("127.")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
