import SegueOrigin

/// The address at which other devices reach the server, as a QR code.
package struct ServerAddress: AddressSharing {
    private let isSecure: Bool
    private let localAddresses: @Sendable () -> [String]
    private let authority: @Sendable () -> String?

    /// Creates the source of addresses.
    ///
    /// - Parameters:
    ///   - isSecure: True if clients connect over TLS.
    ///   - localAddresses: Returns this machine's addresses in the network.
    ///   - authority: Returns the certificate that devices have to trust, in PEM; nil if there is none.
    package init(
        isSecure: Bool,
        localAddresses: @escaping @Sendable () -> [String],
        authority: @escaping @Sendable () -> String? = { nil }
    ) {
        (self.isSecure, self.localAddresses, self.authority) = (isSecure, localAddresses, authority)
    }

    package func code(host: String?, mount: String) -> String? {
        guard let address = PageAddress.best(host: host, localAddresses: localAddresses) else { return nil }
        let place = address.dropFirst("http".count) + mount + "/"
        return QRCode((isSecure ? "https" : "http") + place)?.svg
    }

    package var certificate: String? { authority() }
}
