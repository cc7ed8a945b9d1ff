/// What a forward proxy lets its clients do.
package struct ForwardRules: Sendable, Equatable {
    /// Which hosts they may reach: names, and `*.example.com` for all below one; any where none is named.
    package var hosts: [String]

    /// Whether a name is looked up over the network, as a client without a proxy would.
    package var shapesNames: Bool

    /// Rules.
    package init(hosts: [String] = [], shapesNames: Bool = true) {
        (self.hosts, self.shapesNames) = (hosts, shapesNames)
    }

    /// Whether a host may be reached.
    package func allows(_ host: String) -> Bool {
        let host = host.lowercased()
        return hosts.isEmpty
            || hosts.contains {
                $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst().lowercased()) : $0.lowercased() == host
            }
    }
}
