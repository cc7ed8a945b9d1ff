package import SegueConcurrency
import SegueFFmpeg

/// Bytes that may be evicted until they are sent, because they can be fetched or made again.
package struct RefetchableBytes: Sendable {
    package let kept: KeptBytes

    private let again: @Sendable (Cancellation) throws -> KeptBytes

    /// - Parameters:
    ///   - again: Fetches or makes the same bytes again; blocks.
    package init(_ kept: KeptBytes, again: @escaping @Sendable (Cancellation) throws -> KeptBytes) {
        (self.kept, self.again) = (kept, again)
    }

    /// The body without a reference to the bytes.
    package var body: PiecewiseBody {
        PiecewiseBody(name: kept.tag, sizes: [Int64(kept.count)]) { [again] _, cancellation in try again(cancellation) }
    }
}
