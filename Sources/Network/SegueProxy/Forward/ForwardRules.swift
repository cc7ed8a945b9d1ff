/// The restrictions of a forward proxy.
package struct ForwardRules: Sendable, Equatable {
    /// The allowed hosts: names, and `*.example.com` for subdomains; any host if empty.
    package var hosts: [String]

    /// True if name resolution crosses the network, as for a client without a proxy.
    package var shapesNames: Bool

    package init(hosts: [String] = [], shapesNames: Bool = true) {
        (self.hosts, self.shapesNames) = (hosts, shapesNames)
    }

    package func allows(_ host: String) -> Bool {
        let host = host.lowercased()
        return hosts.isEmpty
            || hosts.contains {
                $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst().lowercased()) : $0.lowercased() == host
            }
    }
}
