/// A request to an HTTP proxy (RFC 9112, section 3.2; RFC 9110, section 9.3.6).
package enum ForwardRequest: Sendable, Equatable {
    /// A tunnel to a server.
    case tunnel(Endpoint)
    /// A request for a server, with the head to send to it.
    case fetch(Endpoint, head: [UInt8])
    /// An invalid request, with the status and message of the response.
    case refused(Int, String)

    /// Parses a head; nil if it is not HTTP/1.
    package init?(_ head: [UInt8]) {
        guard let head = HTTPHead(head) else { return nil }
        self.init(head)
    }

    init(_ head: HTTPHead) {
        if head.method == "CONNECT" {
            let server = Endpoint(head.target).flatMap { Self.isNamed($0) ? $0 : nil }
            self = server.map { .tunnel($0) } ?? .refused(400, "CONNECT needs HOST:PORT")
            return
        }
        guard let mark = head.target.firstRange(of: "://") else {
            self = .refused(400, "this is a proxy; set it as the proxy of the client instead of requesting it directly")
            return
        }
        guard head.target[..<mark.lowerBound].lowercased() == "http" else {
            self = .refused(400, "a proxy request needs an http URL; use CONNECT for other protocols")
            return
        }
        let authority = head.target[mark.upperBound...].prefix { !"/?#".contains($0) }
        let named = authority.split(separator: "@").last ?? ""
        guard let server = PlaylistServers.server(named, port: 80), Self.isNamed(server) else {
            self = .refused(400, "the URL has no valid server")
            return
        }
        let rest = head.target[authority.endIndex...].prefix { $0 != "#" }
        let target = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
        let words = head.tokens(of: "connection", "proxy-connection")
        var first = [(name: "Host", value: String(named))]
        if words.contains("close") {
            first.append(("Connection", "close"))
        } else if head.isOld, words.contains("keep-alive") {
            first.append(("Connection", "keep-alive"))
        }
        self = .fetch(server, head: head.forwarded(to: target, first: first).bytes)
    }

    /// Returns whether a server has a valid name and port.
    static func isNamed(_ server: Endpoint) -> Bool {
        (1...65535).contains(server.port) && (1...255).contains(server.host.utf8.count)
            && server.host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// A response of the proxy itself, after which it closes the connection.
    static func answer(_ status: Int, _ words: String) -> [UInt8] {
        let text = "segue link: \(words)\n"
        let reasons = [400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway", 504: "Gateway Timeout"]
        let fields = [
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(text.utf8.count)"),
            ("Connection", "close"),
        ]
        return HTTPHead(status: status, reason: reasons[status] ?? "Refused", fields: fields).bytes + Array(text.utf8)
    }

    /// The response to CONNECT when the connection is established.
    static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
}
