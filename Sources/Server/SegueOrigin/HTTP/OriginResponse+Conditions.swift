import SegueBase

extension OriginResponse {
    /// The response, or a 304 if the client has the current bytes, in the order of RFC 9110, section 13.2.2.
    ///
    /// - Throws: ``OriginFailure`` with 412 if a precondition fails.
    func conditional(_ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        guard status == 200 else { return self }
        let tag = header("ETag")
        let modified = header("Last-Modified").flatMap(HTTPDate.secondsSince1970)
        if let wanted = request.list("If-Match") {
            guard let tag, ContentTag.list(wanted, namesStrongly: tag) else { throw Self.isOther }
        } else if let modified, let wanted = request.date("If-Unmodified-Since") {
            guard modified <= wanted else { throw Self.isOther }
        }
        if let known = request.list("If-None-Match") {
            return tag.map { ContentTag.list(known, names: $0) } == true ? notModified : self
        }
        if let modified, let known = request.date("If-Modified-Since"), modified <= known { return notModified }
        return self
    }

    /// Returns true if `If-Range` is missing or matches the body.
    func allowsParts(_ request: OriginRequest) -> Bool {
        guard let condition = request.header("If-Range") else { return true }
        return condition == header("ETag") || condition == header("Last-Modified")
    }

    private static let isOther = OriginFailure(
        status: 412,
        code: "preconditionFailed",
        message: "the resource does not match the precondition"
    )

    private var notModified: OriginResponse {
        let ofTheBody = ["content-length", "content-type", "content-encoding", "accept-ranges"]
        return OriginResponse(
            status: 304,
            headers: headers.filter { !ofTheBody.contains($0.name.lowercased()) },
            body: .empty
        )
    }
}

extension OriginRequest {
    fileprivate func date(_ name: String) -> Int64? { header(name).flatMap(HTTPDate.secondsSince1970) }
}
