import HTTPTypes
import SegueConcurrency
import SegueFFmpeg

extension OriginResponse {
    /// The caching policy of a response.
    enum Freshness: String {
        /// Caches revalidate the response each time by its entity tag.
        case revalidated = "no-cache"
        /// The URL names the file's version, so its bytes never change.
        case immutable = "public, max-age=31536000, immutable"
        case none = "no-store"
    }

    static func bytes(
        _ bytes: [UInt8],
        _ contentType: String,
        tag: String? = nil,
        freshness: Freshness
    ) -> OriginResponse {
        OriginResponse(
            status: 200,
            headers: [
                .contentType: contentType, .contentLength: "\(bytes.count)",
                .eTag: tag ?? ContentTag.of(bytes), .cacheControl: freshness.rawValue,
            ],
            body: .bytes(bytes)
        )
    }

    /// A 200 with bytes that may be evicted until they are sent.
    ///
    /// - Parameters:
    ///   - again: Fetches or makes the bytes again; blocks.
    /// - Returns: The response.
    static func found(
        _ kept: KeptBytes,
        _ contentType: String,
        freshness: Freshness,
        again: @escaping @Sendable (Cancellation) throws -> KeptBytes
    ) -> OriginResponse {
        let found = RefetchableBytes(kept) { [tag = kept.tag] cancellation in
            let again = try again(cancellation)
            guard again.tag == tag else { throw PiecewiseBody.Changed() }
            return again
        }
        return OriginResponse(
            status: 200,
            headers: [
                .contentType: contentType, .contentLength: "\(kept.count)", .eTag: kept.tag,
                .cacheControl: freshness.rawValue,
            ],
            body: .found(found, 0..<kept.count)
        )
    }

    /// A 200 with text that is not cached.
    static func text(_ text: String, _ contentType: String) -> OriginResponse {
        let bytes = Array(text.utf8)
        return OriginResponse(
            status: 200,
            headers: [
                .contentType: contentType, .contentLength: "\(bytes.count)",
                .cacheControl: Freshness.none.rawValue,
            ],
            body: .bytes(bytes)
        )
    }
}
