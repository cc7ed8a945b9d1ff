internal import CSegueSystem
internal import Glibc

/// A listener that is bound, and the server behind it; none where clients say whom they want to reach.
struct BoundRoute: Sendable {
    let listener: Int32
    let bound: Endpoint
    let upstream: Upstream?

    /// Listens where a route says.
    ///
    /// - Throws: ``ProxyError`` when that cannot be, or the server's name is unknown.
    init(_ route: LinkPlan.Route) throws(ProxyError) {
        upstream = try route.server.map { server throws(ProxyError) in try Upstream(server) }
        var bound = ssock_address()
        var found: Int32 = -EADDRNOTAVAIL
        for address in try SocketAddress.resolve(route.listen, toListen: true) {
            var raw = address.raw
            found = ssock_listen(&raw, &bound)
            if found >= 0 { break }
        }
        guard found >= 0 else { throw ProxyError.listening(-found, on: route.listen) }
        listener = found
        let endpoint = SocketAddress(raw: bound).endpoint
        self.bound = Endpoint(host: route.listen.host, port: endpoint.port)
    }

    /// Listens where routes say: on all of them, or on none.
    static func all(_ routes: [LinkPlan.Route]) throws(ProxyError) -> [BoundRoute] {
        var bound: [BoundRoute] = []
        for route in routes {
            do {
                bound.append(try BoundRoute(route))
            } catch {
                for other in bound { close(other.listener) }
                throw error
            }
        }
        return bound
    }
}
