internal import CSegueSystem
internal import Glibc

/// A bound listener, and the server behind it; no server for a forward proxy.
struct BoundRoute: Sendable {
    let listener: Int32
    let bound: Endpoint
    let upstream: Upstream?

    /// Binds the listener of a route.
    ///
    /// - Throws: ``ProxyError`` if that fails, or the server's name cannot be resolved.
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

    /// Binds the listeners of all routes, or of none.
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
