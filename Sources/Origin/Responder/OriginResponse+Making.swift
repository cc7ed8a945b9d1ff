extension OriginResponse {
    /// How long an answer may be kept.
    enum Freshness: String {
        /// Asked about each time; the entity tag tells whether it is still the same.
        case revalidated = "no-cache"
        /// Never other bytes under the same URL: the URL names the file's version.
        case immutable = "public, max-age=31536000, immutable"
        /// Not to be kept at all.
        case none = "no-store"
    }

    /// A 200 with bytes and their entity tag.
    static func bytes(
        _ bytes: [UInt8],
        _ contentType: String,
        tag: String? = nil,
        freshness: Freshness
    ) -> OriginResponse {
        OriginResponse(
            status: 200,
            headers: [
                ("Content-Type", contentType), ("Content-Length", "\(bytes.count)"),
                ("ETag", tag ?? ContentTag.of(bytes)), ("Cache-Control", freshness.rawValue),
            ],
            body: .bytes(bytes)
        )
    }

    /// A 200 with text that is not to be kept.
    static func text(_ text: String, _ contentType: String) -> OriginResponse {
        let bytes = Array(text.utf8)
        return OriginResponse(
            status: 200,
            headers: [
                ("Content-Type", contentType), ("Content-Length", "\(bytes.count)"),
                ("Cache-Control", Freshness.none.rawValue),
            ],
            body: .bytes(bytes)
        )
    }

    /// The answer, or a 304 where the client has these bytes already.
    func conditional(_ request: OriginRequest) -> OriginResponse {
        guard status == 200, let tag = header("ETag"), let known = request.header("If-None-Match"),
            ContentTag.list(known, names: tag)
        else { return self }
        return OriginResponse(
            status: 304,
            headers: headers.filter { name, _ in
                !name.equalsIgnoringASCIICase("Content-Length") && !name.equalsIgnoringASCIICase("Content-Type")
            },
            body: .empty
        )
    }

    /// The answer, or the part of it that the client asked for.
    ///
    /// - Throws: ``OriginFailure`` with 416 when no byte asked for exists.
    func ranged(_ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        guard status == 200 else { return self }
        var answer = self
        answer.headers.append(("Accept-Ranges", "bytes"))
        // A range is of the body that the client knows, or of none.
        if let condition = request.header("If-Range"), condition != header("ETag"), condition != header("Last-Modified")
        {
            return answer
        }
        switch RangeRequest(request.header("Range"), length: body.length) {
        case .whole: return answer
        case .unsatisfiable:
            throw OriginFailure(
                status: 416,
                code: "rangeNotSatisfiable",
                message: "the body has \(body.length) bytes",
                headers: [("Content-Range", "bytes */\(body.length)"), ("Accept-Ranges", "bytes")]
            )
        case .part(let range):
            answer.status = 206
            answer.headers.removeAll { $0.name.equalsIgnoringASCIICase("Content-Length") }
            answer.headers.append(("Content-Length", "\(range.count)"))
            answer.headers.append(
                ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.length)")
            )
            answer.body = body.part(range)
            return answer
        }
    }
}

extension OriginResponse.Body {
    /// A part of the body; the range lies inside it.
    fileprivate func part(_ range: Range<Int64>) -> OriginResponse.Body {
        switch self {
        case .empty: .empty
        case .bytes(let bytes): .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        case .file(let path, let offset, _):
            .file(path: path, offset: offset + range.lowerBound, length: Int64(range.count))
        }
    }
}
