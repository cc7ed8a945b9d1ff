internal import SegueEvents

/// Whether what playlists name is reached over the links.
extension ProxyEngine {
    /// A playlist has come over a link: says once of each server that it names and to which no link leads.
    func look(at url: String, _ body: ExchangeWatch.Body, on link: ProxiedLink) {
        guard let bytes = beginning(of: body) else {
            guard link.isFirstUnknown() else { return }
            return say("\(link.name): the playlist \(url) is packed as \(body.coding), and is not looked into")
        }
        let asked = PlaylistServers.server(of: url)
        for (named, server) in PlaylistServers.named(in: bytes) where server != asked && !leads(to: server) {
            guard link.isNew(bypassed: server) else { continue }
            happened(.linkBypassed(link: link.name, url: url, server: "\(server)"))
            say("\(link.name): the playlist \(url) names \(named), which goes around this link; use --proxy")
        }
    }

    /// Whether a server is a place where a link listens: by the host that it was told, by this machine's name for
    /// itself, or by any where it listens everywhere.
    private func leads(to server: Endpoint) -> Bool {
        links.contains { link in
            link.routes.contains { route in
                guard route.bound.port == server.port else { return false }
                let host = route.bound.host.lowercased()
                return host == server.host || server.host == "localhost" || ["0.0.0.0", "::"].contains(host)
            }
        }
    }
}
