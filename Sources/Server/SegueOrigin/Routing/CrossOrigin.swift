/// Which pages of other servers may read what this one answers (the CORS protocol of the Fetch standard).
package struct CrossOrigin: Sendable {
    /// The methods of which pages of other servers may make use: none that changes anything.
    static let methods = RouteMethods.reading.allow

    /// Every page may.
    package static let any = CrossOrigin(origins: nil)

    /// No page may but this server's own.
    package static let none = CrossOrigin(origins: [])

    /// The pages' origins, as browsers write them; nil for all.
    private let origins: Set<String>?

    private init(origins: Set<String>?) { self.origins = origins }

    /// Pages of these origins may, such as `https://player.example`; `*` stands for all.
    ///
    /// Nil where one of them is no origin.
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

    /// Whether a page may read the answers, by its request's `Origin`.
    package func allows(_ origin: String?) -> Bool {
        guard let origin else { return false }
        return origins.map { $0.contains(origin.lowercased()) } ?? true
    }

    /// Whether a page's origin is one of those named, so that it may change things, too; `*` names nobody.
    package func isNamed(_ origin: String) -> Bool { origins?.contains(origin.lowercased()) ?? false }

    /// The fields of an answer: who may read it, and of its head what scripts of players need.
    ///
    /// - Parameter origin: The request's `Origin`.
    /// - Returns: None where no page may read it.
    package func fields(for origin: String?) -> [(name: String, value: String)] {
        guard let origins else { return [("Access-Control-Allow-Origin", "*"), Self.exposed] }
        if origins.isEmpty { return [] }
        guard let origin, allows(origin) else { return [("Vary", "Origin")] }
        return [("Access-Control-Allow-Origin", origin), ("Vary", "Origin"), Self.exposed]
    }

    private static let exposed: (name: String, value: String) = (
        "Access-Control-Expose-Headers",
        "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag, Retry-After"
    )

    /// What may be sent: ranges, conditions, what lets one in, and what players say of themselves (CTA-5004).
    private static let allowedFields = """
        Authorization, Range, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, \
        CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status
        """

    /// The answer to a browser that asks beforehand, the same whatever it asks about.
    package func preflight(for origin: String?) -> OriginResponse { options(.reading, for: origin) }

    /// The answer to `OPTIONS` about a route with these methods.
    ///
    /// - Parameters:
    ///   - methods: The route's methods.
    ///   - origin: The request's `Origin`.
    /// - Returns: A 204.
    func options(_ methods: RouteMethods, for origin: String?) -> OriginResponse {
        let allowed: [(name: String, value: String)] = [
            ("Access-Control-Allow-Methods", Self.methods), ("Access-Control-Allow-Headers", Self.allowedFields),
            ("Access-Control-Max-Age", "86400"),
        ]
        let isTold = origins == nil || allows(origin)
        return OriginResponse(
            status: 204,
            headers: [(name: "Allow", value: methods.allow)] + (isTold ? allowed : []),
            body: .empty
        )
    }
}
