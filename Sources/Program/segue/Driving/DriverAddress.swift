import Foundation

/// Where a driver listens for a WebSocket: `ws://HOST[:PORT][/PATH]` (RFC 6455, section 3).
struct DriverAddress: Equatable, CustomStringConvertible {
    private static let scheme = "ws://"

    /// The host, without the brackets of an IPv6 address.
    let host: String
    /// The port, from 1 to 65535.
    let port: Int
    /// The path, with the query.
    let path: String

    /// The address that a text is; nil where it names none.
    init?(_ text: String) {
        guard Self.isMeant(by: text), let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.fragment == nil, 1...65535 ~= parts.port ?? 80
        else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? 80
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.path = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// Whether a text is to be such an address.
    static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

    /// Host and port, as URLs have them.
    var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    var description: String { Self.scheme + authority + path }

    /// What reports may call who listens there: what of the address is a name.
    var name: String { (host + "-\(port)").replacing(":", with: "-") }
}
