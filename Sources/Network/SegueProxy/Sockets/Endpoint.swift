/// A host and a port.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// A host name or an address; an IPv6 address has no brackets.
    public let host: String

    /// The port; 0 picks a free port for listening.
    public let port: Int

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - host: A host name or an address; an IPv6 address has no brackets.
    ///   - port: The port, from 0 to 65535; 0 picks a free port for listening.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`; nil for any other text.
    ///
    /// - Parameter text: The host, with an IPv6 address in brackets, and the port, from 0 to 65535.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port)
        else { return nil }
        let host = text[..<colon]
        if host.first == "[", host.last == "]" {
            self.init(host: String(host.dropFirst().dropLast()), port: port)
        } else {
            guard !host.isEmpty, !host.contains(":") else { return nil }
            self.init(host: String(host), port: port)
        }
    }

    /// `HOST:PORT`, with an IPv6 address in brackets.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
