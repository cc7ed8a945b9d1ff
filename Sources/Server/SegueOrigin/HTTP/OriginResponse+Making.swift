import SegueConcurrency
import SegueFFmpeg

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

    /// A 200 with bytes that are found again where they are let go of, and their entity tag.
    ///
    /// - Parameters:
    ///   - kept: The bytes.
    ///   - contentType: What they are.
    ///   - freshness: How long the answer may be kept.
    ///   - again: Finds or makes them again; blocks meanwhile.
    /// - Returns: The answer.
    static func found(
        _ kept: KeptBytes,
        _ contentType: String,
        freshness: Freshness,
        again: @escaping @Sendable (Cancellation) throws -> KeptBytes
    ) -> OriginResponse {
        let found = FoundBytes(kept) { [tag = kept.tag] cancellation in
            let again = try again(cancellation)
            guard again.tag == tag else { throw PiecewiseBody.Changed() }
            return again
        }
        return OriginResponse(
            status: 200,
            headers: [
                ("Content-Type", contentType), ("Content-Length", "\(kept.count)"), ("ETag", kept.tag),
                ("Cache-Control", freshness.rawValue),
            ],
            body: .found(found, 0..<kept.count)
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
