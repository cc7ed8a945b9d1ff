/// Why a request is answered with an error: the status, a code for programs and one sentence for people.
struct OriginFailure: Error, Sendable {
    /// The HTTP status, 400…599.
    var status: Int

    /// A short word that programs may compare.
    var code: String

    /// One line for a person.
    var message: String

    /// Header fields that belong to the error (`Allow`, `Retry-After`, `Content-Range`).
    var headers: [(name: String, value: String)] = []

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

    /// The server has more to do than it will queue: 503.
    static let overloaded = OriginFailure(
        status: 503,
        code: "overloaded",
        message: "too many requests are waiting; try again in a moment",
        headers: [("Retry-After", "1")]
    )

    /// Nobody waits for the answer any more, or its time was up: 503.
    static let cancelled = OriginFailure(
        status: 503,
        code: "cancelled",
        message: "the request was given up before its answer was ready",
        headers: [("Retry-After", "1")]
    )

    /// The answer, with the JSON body that all errors have.
    var response: OriginResponse {
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
