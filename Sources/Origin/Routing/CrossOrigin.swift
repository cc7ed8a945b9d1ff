/// What pages of other servers may do with this one (the CORS protocol of the Fetch standard).
enum CrossOrigin {
    /// The methods that are answered.
    static let methods = "GET, HEAD, OPTIONS"

    /// The header fields of every answer: all may read it, and of its head what scripts of players need.
    static let fields: [(name: String, value: String)] = [
        ("Access-Control-Allow-Origin", "*"),
        (
            "Access-Control-Expose-Headers",
            "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag, Retry-After"
        ),
    ]

    /// What may be sent: ranges, conditions, and what players say of themselves (CTA-5004).
    private static let allowedFields = """
        Range, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, \
        CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status
        """

    /// The answer to `OPTIONS`.
    static var options: OriginResponse {
        OriginResponse(
            status: 204,
            headers: [
                ("Allow", methods), ("Access-Control-Allow-Methods", methods),
                ("Access-Control-Allow-Headers", allowedFields),
                ("Access-Control-Max-Age", "86400"),
            ],
            body: .empty
        )
    }
}
