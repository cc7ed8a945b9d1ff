/// The hosts under which a server may be asked, so that no page of somebody else reads what it answers.
///
/// A page from `evil.example` may have that name lead to this machine once it is loaded (DNS rebinding). To the browser
/// the server is then the page's own, and only the request's `Host` field still tells that it is not.
package struct AllowedHosts: Sendable, Hashable {
    private let hosts: Set<HostName>
    private let allowsAddresses: Bool

    /// The hosts under which a server may be asked that listens somewhere.
    ///
    /// Its own address, this machine's loopback addresses and `localhost`, and what somebody has named. One that listens
    /// on all addresses may be asked under any address, as an address cannot be made to lead elsewhere.
    ///
    /// - Parameters:
    ///   - listening: The host or address to listen on, as configured.
    ///   - named: Further hosts; a port after one says nothing.
    package init(listeningOn listening: String, named: [String] = []) {
        let own = HostName(listening)
        allowsAddresses = own?.isAny ?? false
        let further = named.compactMap { HostName(authority: $0) ?? HostName($0) }
        hosts = Set((allowsAddresses ? [] : [own].compactMap(\.self)) + further)
    }

    /// Whether a request with this `Host` field, or authority of its target, is answered; the port says nothing.
    ///
    /// One without the field is: HTTP/1.0 does not ask for it, and every browser sends it.
    package func allows(_ authority: String?) -> Bool {
        guard let authority else { return true }
        guard let host = HostName(authority: authority) else { return false }
        return host.isLoopback || hosts.contains(host) || allowsAddresses && host.isAddress
    }
}
