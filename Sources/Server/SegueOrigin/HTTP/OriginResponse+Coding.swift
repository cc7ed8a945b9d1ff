import HTTPTypes
import SegueByteCoding

extension OriginResponse {
    /// The response to a request for a document: compressed, partial, or 304.
    ///
    /// Each coding has its own entity tag. Ranges apply to the uncompressed bytes, so a range request gets no
    /// compression.
    ///
    /// - Throws: ``OriginFailure`` with 412 or 416, or with 500 if zlib fails.
    func document(_ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        guard status == 200 else { return self }
        let isPart = request.headers[.range] != nil
        let coding = isPart ? .identity : ContentCoding(accepted: request.headers[.acceptEncoding])
        var response = self
        response.headers[.vary] = (["Accept-Encoding"] + [headers[.vary]].compactMap { $0 }).joined(separator: ", ")
        if let tag = headers[.eTag] { response.headers[.eTag] = coding.tag(tag) }
        response = try response.conditional(request)
        return coding == .gzip ? try response.packed() : try response.ranged(request)
    }

    private func packed() throws(OriginFailure) -> OriginResponse {
        guard status == 200, case .bytes(let bytes) = body else { return self }
        var response = self
        do {
            let packed = try Gzip.compress(bytes)
            response.body = .bytes(packed)
            response.headers[.contentLength] = "\(packed.count)"
            response.headers[.contentEncoding] = ContentCoding.gzip.rawValue
            return response
        } catch {
            throw OriginFailure(status: 500, code: "internal", message: "zlib: \(error)")
        }
    }
}
