import HTTPTypes

/// The address and the certificate of the server for other devices.
package protocol AddressSharing: Sendable {
    /// Returns the address as a QR code in SVG.
    ///
    /// - Parameters:
    ///   - host: The `Host` field of the request, which the client controls.
    ///   - mount: The path prefix (``OriginRequest/mount``).
    /// - Returns: The SVG, or nil if other devices cannot reach the server.
    func code(host: String?, mount: String) -> String?

    /// The certificate of the server's authority in PEM, or nil if clients need none.
    var certificate: String? { get }
}

/// The handler of `/qr.svg` and `/certificate.crt`.
struct AddressHandler: Sendable {
    let addresses: (any AddressSharing)?

    /// The certificate of the server's authority.
    func certificate(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        guard let certificate = addresses?.certificate else {
            throw .notFound("this server has no certificate authority of its own")
        }
        return try document(certificate, "application/x-x509-ca-cert", for: asked)
    }

    /// The address of the server as the client uses it, with the client's key, as a QR code.
    func code(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        let request = asked.request
        guard let code = addresses?.code(host: request.headers[.hostField], mount: request.mount) else {
            throw .notFound("other devices cannot reach this server")
        }
        return try document(code, "image/svg+xml", for: asked)
    }

    private func document(
        _ text: String,
        _ contentType: String,
        for asked: ResourceRequest
    ) throws(OriginFailure) -> OriginResponse {
        // The address may contain a key.
        try OriginResponse.bytes(Array(text.utf8), contentType, freshness: .none).document(asked.request)
    }
}
