package import HTTPTypes

/// An error response: the status, a code for programs, and a sentence for people.
package struct OriginFailure: Error, Sendable {
    /// The HTTP status, 400…599.
    package var status: Int

    /// The code for programs.
    package var code: String

    /// One line for people.
    package var sentence: ErrorSentence

    /// The sentence in English.
    package var message: String { sentence.text }

    /// Additional header fields, such as `Allow`, `Retry-After`, and `Content-Range`.
    var headers: HTTPFields

    package init(status: Int, code: String, message: ErrorSentence, headers: HTTPFields = [:]) {
        (self.status, self.code, sentence, self.headers) = (status, code, message, headers)
    }

    /// A response with status 503: the request may succeed after a time in seconds.
    static func unavailable(_ code: String, retryAfter seconds: Int = 1, _ message: ErrorSentence) -> OriginFailure {
        OriginFailure(status: 503, code: code, message: message, headers: [.retryAfter: "\(seconds)"])
    }

    static let noResource = OriginFailure.notFound("the server has no resource at this path")

    /// A file that is gone, unreadable, or a link out of its folder by the time that it is opened: 404.
    package static let vanished = OriginFailure.notFound("the file is gone, or cannot be read any more")

    static func notFound(_ message: ErrorSentence) -> OriginFailure {
        OriginFailure(status: 404, code: "notFound", message: message)
    }

    /// A query parameter with an invalid value: 400.
    static func badQuery(_ parameter: String, _ message: ErrorSentence) -> OriginFailure {
        OriginFailure(status: 400, code: "badQuery", message: "\(parameter): \(message)")
    }

    /// An item that cannot be served this way: 422.
    static func unservable(_ code: String, _ message: ErrorSentence) -> OriginFailure {
        OriginFailure(status: 422, code: code, message: message)
    }

    /// A `Host` field that does not name this server, as after DNS rebinding: 403.
    static func foreignHost(_ host: String) -> OriginFailure {
        OriginFailure(
            status: 403,
            code: "foreignHost",
            message: """
                the host '\(host)' is not a name of this server; use its address or own name, or start the server with \
                --allow-host and this name
                """
        )
    }

    /// A method that the route does not support: 405.
    static func methodNotAllowed(_ allowed: RouteMethods) -> OriginFailure {
        OriginFailure(
            status: 405,
            code: "methodNotAllowed",
            message: "the method is not supported; allowed: \(allowed.allow)",
            headers: [.allow: allowed.allow]
        )
    }

    /// A body over the limit: 413.
    package static func bodyTooLong(limit: Int) -> OriginFailure {
        OriginFailure(status: 413, code: "bodyTooLong", message: "the body exceeds \(limit) bytes")
    }

    package static let overloaded = OriginFailure.unavailable(
        "overloaded",
        "the server's queue is full; try again in 1 s"
    )

    /// A request that was cancelled or reached its time limit: 503.
    package static let cancelled = OriginFailure.unavailable(
        "cancelled",
        "the request was cancelled or exceeded its time limit"
    )

    /// A file whose disk does not respond: 503.
    package static let standingStill = OriginFailure.unavailable(
        "standingStill",
        retryAfter: 30,
        "reading the file hangs; check its disk or network mount"
    )

    /// The response with the JSON body of all errors, in English.
    package var response: OriginResponse {
        let body = body(in: [:])
        var response = OriginResponse(
            status: status,
            headers: [
                .contentType: "application/json; charset=utf-8",
                .contentLength: "\(body.count)",
                .cacheControl: "no-store",
            ] + headers,
            body: .bytes(body)
        )
        response.failure = self
        return response
    }

    /// The JSON body in the language of these translations.
    func body(in translations: [String: String]) -> [UInt8] {
        JSONText.encode(ErrorBody(error: .init(code: code, message: sentence.text(in: translations))))
    }

    private struct ErrorBody: Encodable {
        struct Detail: Encodable {
            var code: String
            var message: String
        }

        var error: Detail
    }
}
