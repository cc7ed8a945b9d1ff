internal import SegueEvents

/// The detection of servers that playlists name but no link reaches.
extension ProxyEngine {
    /// Reports each server of a playlist that no link reaches, once.
    func look(at url: String, _ body: ExchangeWatch.Body, on link: ProxiedLink) {
        guard let bytes = beginning(of: body) else {
            guard link.reports.isFirstUnknown() else { return }
            return say(
                "\(link.name): the playlist \(url) is not checked, as its content coding \(body.coding) is not supported"
            )
        }
        let asked = PlaylistServers.server(of: url)
        for (named, server) in PlaylistServers.named(in: bytes) where server != asked && !leads(to: server) {
            guard link.reports.isNew(bypassed: server) else { continue }
            happened(.linkBypassed(link: link.name, url: url, server: "\(server)"))
            say("\(link.name): the playlist \(url) names \(named), which bypasses this link; use --proxy")
        }
    }

    /// Returns whether a link listens at a server's address: at the configured host, at localhost, or at a wildcard address.
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
