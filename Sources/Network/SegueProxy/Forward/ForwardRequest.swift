/// What a client asks of an HTTP proxy (RFC 9112, section 3.2; RFC 9110, section 9.3.6).
package enum ForwardRequest: Sendable, Equatable {
    /// To connect it to a server, and to leave what crosses the connection alone.
    case tunnel(Endpoint)
    /// To fetch something: the server, and the head as that gets it.
    case fetch(Endpoint, head: [UInt8])
    /// Something that is not done: an answer's status and its words.
    case refused(Int, String)

    /// Reads a head; nil where it is none of HTTP/1.
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
            self = .refused(400, "this is a proxy: it is named in the client's settings, and not asked itself")
            return
        }
        guard head.target[..<mark.lowerBound].lowercased() == "http" else {
            self = .refused(400, "only http URLs are asked of a proxy; for others there is CONNECT")
            return
        }
        let authority = head.target[mark.upperBound...].prefix { !"/?#".contains($0) }
        let named = authority.split(separator: "@").last ?? ""
        guard let server = PlaylistServers.server(named, port: 80), Self.isNamed(server) else {
            self = .refused(400, "the URL names no server")
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

    /// Whether a server can be asked for: a name of a sensible length without anything that is in none, and a port.
    static func isNamed(_ server: Endpoint) -> Bool {
        (1...65535).contains(server.port) && (1...255).contains(server.host.utf8.count)
            && server.host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// An answer of the proxy's own, after which it closes the connection.
    static func answer(_ status: Int, _ words: String) -> [UInt8] {
        let text = "segue link: \(words)\n"
        let reasons = [400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway", 504: "Gateway Timeout"]
        let fields = [
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(text.utf8.count)"),
            ("Connection", "close"),
        ]
        return HTTPHead(status: status, reason: reasons[status] ?? "Refused", fields: fields).bytes + Array(text.utf8)
    }

    /// What a client of CONNECT is told when the connection is there.
    static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
}
