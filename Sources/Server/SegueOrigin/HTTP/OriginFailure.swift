/// Why a request is answered with an error: the status, a code for programs and one sentence for people.
package struct OriginFailure: Error, Sendable {
    /// The HTTP status, 400…599.
    package var status: Int

    /// A short word that programs may compare.
    package var code: String

    /// One line for a person.
    package var message: String

    /// Header fields that belong to the error (`Allow`, `Retry-After`, `Content-Range`).
    var headers: [(name: String, value: String)]

    /// A failure of the given parts.
    package init(status: Int, code: String, message: String, headers: [(name: String, value: String)] = []) {
        (self.status, self.code, self.message, self.headers) = (status, code, message, headers)
    }

    /// Nothing is there: 404.
    static func notFound(_ message: String) -> OriginFailure {
        OriginFailure(status: 404, code: "notFound", message: message)
    }

    /// A query parameter has a value that cannot be used: 400, naming it.
    static func badQuery(_ parameter: String, _ message: String) -> OriginFailure {
        OriginFailure(status: 400, code: "badQuery", message: "\(parameter): \(message)")
    }

    /// The item is there but cannot be served that way: 422 with the reason.
    static func unservable(_ code: String, _ message: String) -> OriginFailure {
        OriginFailure(status: 422, code: code, message: message)
    }

    /// The request names a host that is not this server's, as that of a page does whose name was made to lead here: 403.
    static func foreignHost(_ host: String) -> OriginFailure {
        OriginFailure(
            status: 403,
            code: "foreignHost",
            message: "this server is not asked for as '\(host)'; "
                + "ask for an address or a name of its own, or start it with --allow-host and that name"
        )
    }

    /// A route is not asked so: 405, with the methods that it knows.
    static func methodNotAllowed(_ allowed: RouteMethods) -> OriginFailure {
        OriginFailure(
            status: 405,
            code: "methodNotAllowed",
            message: "only \(allowed.allow) are answered here",
            headers: [("Allow", allowed.allow)]
        )
    }

    /// More is sent along than a route takes: 413.
    package static func bodyTooLong(limit: Int) -> OriginFailure {
        OriginFailure(status: 413, code: "bodyTooLong", message: "the body is longer than \(limit) bytes")
    }

    /// The server has more to do than it will queue: 503.
    package static let overloaded = OriginFailure(
        status: 503,
        code: "overloaded",
        message: "too many requests are waiting; try again in a moment",
        headers: [("Retry-After", "1")]
    )

    /// Nobody waits for the answer any more, or its time was up: 503.
    package static let cancelled = OriginFailure(
        status: 503,
        code: "cancelled",
        message: "the request was given up before its answer was ready",
        headers: [("Retry-After", "1")]
    )

    /// What was asked about does not go on, such as a file on a disk that does not answer: 503.
    package static let standingStill = OriginFailure(
        status: 503,
        code: "standingStill",
        message: "the file is not read any further: its disk or what it leads to does not answer; look after that",
        headers: [("Retry-After", "30")]
    )

    /// The answer, with the JSON body that all errors have.
    package var response: OriginResponse {
        let body = JSONText.encode(ErrorBody(error: .init(code: code, message: message)))
        return OriginResponse(
            status: status,
            headers: [
                ("Content-Type", "application/json; charset=utf-8"),
                ("Content-Length", "\(body.count)"),
                ("Cache-Control", "no-store"),
            ] + headers,
            body: .bytes(body)
        )
    }

    private struct ErrorBody: Encodable {
        struct Detail: Encodable {
            var code: String
            var message: String
        }

        var error: Detail
    }
}
