import SegueByteCoding

extension OriginResponse {
    /// The answer to a request for a document: packed, in part or whole as the client wishes, or that it has it.
    ///
    /// Each form has an entity tag of its own. Ranges are of the bytes as they are, so a client that asks for one gets
    /// nothing packed.
    ///
    /// - Throws: ``OriginFailure`` with 412 or 416, or 500 when zlib fails.
    func document(_ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        guard status == 200 else { return self }
        let isPart = request.header("Range") != nil
        let coding = isPart ? .identity : ContentCoding(accepted: request.list("Accept-Encoding"))
        var answer = self
        answer.set("Vary", (["Accept-Encoding"] + [header("Vary")].compactMap { $0 }).joined(separator: ", "))
        if let tag = header("ETag") { answer.set("ETag", coding.tag(tag)) }
        answer = try answer.conditional(request)
        return coding == .gzip ? try answer.packed() : try answer.ranged(request)
    }

    /// The answer with its bytes in gzip.
    private func packed() throws(OriginFailure) -> OriginResponse {
        guard status == 200, case .bytes(let bytes) = body else { return self }
        var answer = self
        do {
            let packed = try Gzip.compress(bytes)
            answer.body = .bytes(packed)
            answer.set("Content-Length", "\(packed.count)")
            answer.headers.append(("Content-Encoding", ContentCoding.gzip.rawValue))
            return answer
        } catch {
            throw OriginFailure(status: 500, code: "internal", message: "zlib: \(error)")
        }
    }

    /// Gives a header field another value, at its place, or adds it.
    package mutating func set(_ name: String, _ value: String) {
        if let index = headers.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) {
            headers[index].value = value
        } else {
            headers.append((name, value))
        }
    }
}
