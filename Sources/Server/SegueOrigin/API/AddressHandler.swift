/// Tells under which address others reach the server, and how they know it.
package protocol AddressSharing: Sendable {
    /// The address as a picture of a QR code, in SVG.
    ///
    /// - Parameters:
    ///   - host: The `Host` field of the request, which is the client's word.
    ///   - mount: What the path begins with (``OriginRequest/mount``).
    /// - Returns: The picture; nil where no address is known that others reach.
    func code(host: String?, mount: String) -> String?

    /// The certificate of whoever vouches for the server, in PEM; nil where it needs none to be known.
    var certificate: String? { get }
}

/// Answers with the server's address, `/qr.svg`, and with its certificate, `/certificate.crt`.
struct AddressHandler: Sendable {
    let addresses: (any AddressSharing)?

    /// The address that whoever asks has come by, with the key that let them in, or the certificate.
    func answer(_ asked: ResourceRequest, _ route: Route) throws(OriginFailure) -> OriginResponse {
        if route == .certificate {
            guard let certificate = addresses?.certificate else {
                throw .notFound("this server has no certificate of its own to offer")
            }
            return try document(certificate, "application/x-x509-ca-cert", asked)
        }
        let request = asked.request
        guard let code = addresses?.code(host: request.header("Host"), mount: request.mount) else {
            throw .notFound("this server is not reached from elsewhere")
        }
        return try document(code, "image/svg+xml", asked)
    }

    private func document(
        _ text: String,
        _ contentType: String,
        _ asked: ResourceRequest
    ) throws(OriginFailure) -> OriginResponse {
        // What stands in an address with a key is for nobody's cache.
        try OriginResponse.bytes(Array(text.utf8), contentType, freshness: .none).document(asked.request)
    }
}
