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
}
