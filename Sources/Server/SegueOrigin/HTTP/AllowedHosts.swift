/// The host names that requests to a server may use, against DNS rebinding.
///
/// A page from `evil.example` can make that name resolve to this machine after it is loaded. To the browser the server
/// then has the origin of the page, and only the request's `Host` field shows that it does not.
package struct AllowedHosts: Sendable, Hashable {
    private let hosts: Set<HostName>
    private let allowsAddresses: Bool

    /// Creates the list of host names of a server.
    ///
    /// It contains the address on which the server listens, the loopback addresses, `localhost`, and the named hosts. A
    /// server that listens on all addresses accepts any address, since an address cannot be rebound.
    ///
    /// - Parameters:
    ///   - listening: The configured host or address.
    ///   - named: Further hosts; ports are ignored.
    package init(listeningOn listening: String, named: [String] = []) {
        let own = HostName(listening)
        allowsAddresses = own?.isAny ?? false
        let further = named.compactMap { HostName(authority: $0) ?? HostName($0) }
        hosts = Set((allowsAddresses ? [] : [own].compactMap(\.self)) + further)
    }

    /// Returns true if a request with this `Host` field, or authority of its target, is accepted; the port is ignored.
    ///
    /// A request without the field is accepted: HTTP/1.0 does not require it, and every browser sends it.
    package func allows(_ authority: String?) -> Bool {
        guard let authority else { return true }
        guard let host = HostName(authority: authority) else { return false }
        return host.isLoopback || hosts.contains(host) || allowsAddresses && host.isAddress
    }
}
