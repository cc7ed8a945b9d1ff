import Foundation

/// The WebSocket address of a driver: `ws://HOST[:PORT][/PATH]` (RFC 6455, section 3).
struct DriverAddress: Equatable, CustomStringConvertible {
    private static let scheme = "ws://"

    /// The host, without the brackets of an IPv6 address.
    let host: String
    /// The port, from 1 to 65535.
    let port: Int
    /// The path with the query.
    let path: String

    /// - Returns: Nil for text that is not an address.
    init?(_ text: String) {
        guard Self.isMeant(by: text), let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.fragment == nil, 1...65535 ~= parts.port ?? 80
        else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? 80
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.path = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// Returns whether a text is meant to be an address.
    static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

    /// The host and port as in URLs.
    var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// The address without its path, which may contain a secret.
    var description: String { Self.scheme + authority }

    /// The name of the player in reports, derived from the address.
    var name: String { (host + "-\(port)").replacing(":", with: "-") }
}
