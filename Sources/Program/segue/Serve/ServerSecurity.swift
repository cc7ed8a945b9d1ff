import SegueOrigin
import SegueServer

/// The hosts, the certificate, and the key of a server.
struct ServerSecurity: Sendable {
    /// The host names that `--allow-host` names, now and after a reload.
    let named: NamedHosts
    /// The certificate; nil without TLS.
    let secured: AccessOptions.Secured?
    /// The host names that requests may use; nil for any.
    let hosts: AllowedHosts?
    /// The key in the address that is printed; nil for a server that needs none.
    let key: String?

    /// Reads or makes the certificate.
    ///
    /// - Throws: ``CommandFailure`` for a certificate that cannot be used.
    init(_ access: AccessOptions, listeningOn host: String, key: String?) throws {
        self.key = key
        named = NamedHosts(access.allowHost)
        do {
            secured = try access.certificate(listeningOn: host, naming: named)
            hosts = try access.hosts(listeningOn: host, secured)
        } catch {
            throw error is CommandFailure ? error : CommandFailure(error)
        }
    }

    var scheme: String { secured == nil ? "http" : "https" }

    /// The path prefix that carries the key.
    var mount: String { key.map { "/k/\($0)" } ?? "" }

    func addresses(listeningOn host: String) -> ServerAddress {
        ServerAddress(
            isSecure: secured != nil,
            localAddresses: { LocalAddresses.reachable(listeningOn: host) },
            authority: { [secured] in secured?.own?.authority }
        )
    }
}
