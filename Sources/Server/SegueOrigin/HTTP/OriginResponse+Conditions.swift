import HTTPTypes
import SegueBase

extension OriginResponse {
    /// The response, or a 304 if the client has the current bytes, in the order of RFC 9110, section 13.2.2.
    ///
    /// - Throws: ``OriginFailure`` with 412 if a precondition fails.
    func conditional(_ request: OriginRequest) throws(OriginFailure) -> OriginResponse {
        guard status == 200 else { return self }
        let tag = headers[.eTag]
        let modified = headers[.lastModified].flatMap(HTTPDate.secondsSince1970)
        if let wanted = request.headers[.ifMatch] {
            guard let tag, ContentTag.list(wanted, namesStrongly: tag) else { throw Self.isOther }
        } else if let modified, let wanted = request.date(.ifUnmodifiedSince) {
            guard modified <= wanted else { throw Self.isOther }
        }
        if let known = request.headers[.ifNoneMatch] {
            return tag.map { ContentTag.list(known, names: $0) } == true ? notModified : self
        }
        if let modified, let known = request.date(.ifModifiedSince), modified <= known { return notModified }
        return self
    }

    /// Returns true if `If-Range` is missing or matches the body.
    func allowsParts(_ request: OriginRequest) -> Bool {
        guard let condition = request.headers[.ifRange] else { return true }
        return condition == headers[.eTag] || condition == headers[.lastModified]
    }

    private static let isOther = OriginFailure(
        status: 412,
        code: "preconditionFailed",
        message: "the resource does not match the precondition"
    )

    private var notModified: OriginResponse {
        let ofTheBody: Set<HTTPField.Name> = [.contentLength, .contentType, .contentEncoding, .acceptRanges]
        return OriginResponse(
            status: 304,
            headers: headers.filter { !ofTheBody.contains($0.name) },
            body: .empty
        )
    }
}

extension OriginRequest {
    fileprivate func date(_ name: HTTPField.Name) -> Int64? { headers[name].flatMap(HTTPDate.secondsSince1970) }
}
