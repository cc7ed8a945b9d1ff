import HTTPTypes

extension OriginResponse {
    /// The response, or a 206 with the requested ranges.
    ///
    /// `HEAD` is treated like `GET`, so that both have the same head.
    ///
    /// - Throws: ``OriginFailure`` with 416 if no requested byte exists.
    func ranged(_ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        guard status == 200 else { return self }
        var response = self
        response.headers[.acceptRanges] = "bytes"
        // Without a matching If-Range the whole body is sent.
        guard allowsParts(request) else { return response }
        switch RangeRequest(request.headers[.range], length: body.length) {
        case .whole: return response
        case .unsatisfiable:
            throw OriginFailure(
                status: 416,
                code: "rangeNotSatisfiable",
                message: "the body has \(body.length) bytes",
                headers: [.contentRange: "bytes */\(body.length)", .acceptRanges: "bytes"]
            )
        case .parts(let ranges):
            response.status = 206
            if ranges.count == 1 {
                response.headers[.contentRange] = contentRange(ranges[0])
                response.body = body.part(ranges[0])
            } else {
                let boundary = boundary(ranges)
                response.body = multipart(ranges, boundary)
                response.headers[.contentType] = "multipart/byteranges; boundary=\(boundary)"
            }
            response.headers[.contentLength] = "\(response.body.length)"
            return response
        }
    }

    private func contentRange(_ range: Range<Int64>) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.length)"
    }

    /// A delimiter that follows from the request and occurs in a body with a probability of 1 in 2¹²⁸.
    private func boundary(_ ranges: [Range<Int64>]) -> String {
        StableHash.hex(Array("\(headers[.eTag] ?? "") \(ranges)".utf8))
    }

    /// The parts, each with a head of its own (RFC 9110, section 14.6).
    private func multipart(_ ranges: [Range<Int64>], _ boundary: String) -> Body {
        var pieces: [Body] = []
        for range in ranges {
            var head = "\r\n--\(boundary)\r\n"
            if let type = headers[.contentType] { head += "Content-Type: \(type)\r\n" }
            head += "Content-Range: \(contentRange(range))\r\n\r\n"
            pieces += [.bytes(Array(head.utf8)), body.part(range)]
        }
        return .pieces(pieces + [.bytes(Array("\r\n--\(boundary)--\r\n".utf8))])
    }
}

extension OriginResponse.Body {
    /// A range of the body; the range is within the body.
    fileprivate func part(_ range: Range<Int64>) -> OriginResponse.Body {
        switch self {
        case .empty, .pieces: .empty
        case .endless: self
        case .bytes(let bytes): .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        case .found(let bytes, let whole):
            .found(bytes, whole.lowerBound + Int(range.lowerBound)..<whole.lowerBound + Int(range.upperBound))
        case .made(let body, let whole):
            .made(body, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
        case .file(let path, let offset, _):
            .file(path: path, offset: offset + range.lowerBound, length: Int64(range.count))
        }
    }
}
