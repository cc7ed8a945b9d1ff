package import HTTPTypes

/// The origins whose pages may read responses (CORS, Fetch standard).
package struct CrossOrigin: Sendable {
    /// The methods that pages of other origins may use: those that change nothing.
    static let methods = RouteMethods.reading.allow

    /// Allows all origins.
    package static let any = CrossOrigin(origins: nil)

    /// Allows no other origin.
    package static let none = CrossOrigin(origins: [])

    /// The allowed origins in lower case; nil for all.
    private let origins: Set<String>?

    private init(origins: Set<String>?) { self.origins = origins }

    /// Allows a list of origins, such as `https://player.example`; `*` allows all.
    ///
    /// Nil if an origin is malformed.
    package init?(_ named: [String]) {
        if named.contains("*") {
            self = .any
            return
        }
        var origins: Set<String> = []
        for name in named {
            let name = name.lowercased()
            let parts = name.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
                parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#@\\,".utf8.contains($0) })
            else { return nil }
            origins.insert(name)
        }
        self.origins = origins
    }

    /// Returns true if pages of an origin may read responses.
    package func allows(_ origin: String?) -> Bool {
        guard let origin else { return false }
        return origins.map { $0.contains(origin.lowercased()) } ?? true
    }

    /// Returns true if an origin is listed by name and may therefore change data; `*` lists none.
    package func isNamed(_ origin: String) -> Bool { origins?.contains(origin.lowercased()) ?? false }

    /// The CORS fields of a response to a request with this `Origin`; empty if no other origin is allowed.
    package func fields(for origin: String?) -> HTTPFields {
        guard let origins else { return [.accessControlAllowOrigin: "*", .accessControlExposeHeaders: Self.exposed] }
        if origins.isEmpty { return [:] }
        guard let origin, allows(origin) else { return [.vary: "Origin"] }
        return [.accessControlAllowOrigin: origin, .vary: "Origin", .accessControlExposeHeaders: Self.exposed]
    }

    private static let exposed =
        "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag, Retry-After"

    /// The request fields of players: ranges, conditions, authentication, and CMCD (CTA-5004).
    private static let allowedFields = """
        Authorization, Range, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, \
        CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status
        """

    /// The response to a preflight request.
    package func preflight(for origin: String?) -> OriginResponse { options(.reading, for: origin) }

    /// The 204 response to `OPTIONS` on a route with these methods.
    func options(_ methods: RouteMethods, for origin: String?) -> OriginResponse {
        let allowed: HTTPFields = [
            .accessControlAllowMethods: Self.methods, .accessControlAllowHeaders: Self.allowedFields,
            .accessControlMaxAge: "86400",
        ]
        let isTold = origins == nil || allows(origin)
        return OriginResponse(
            status: 204,
            headers: [.allow: methods.allow] + (isTold ? allowed : [:]),
            body: .empty
        )
    }
}
