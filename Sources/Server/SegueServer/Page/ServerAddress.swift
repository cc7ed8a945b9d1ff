import SegueOrigin

/// Under which address others reach the server, as a QR code.
package struct ServerAddress: AddressSharing {
    private let isSecure: Bool
    private let localAddresses: @Sendable () -> [String]
    private let authority: @Sendable () -> String?

    /// An address.
    ///
    /// - Parameters:
    ///   - isSecure: Whether clients come over TLS.
    ///   - localAddresses: This machine's addresses in the network.
    ///   - authority: The certificate that devices have to trust, in PEM; nil where there is none.
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
