package import SegueConcurrency
import SegueFFmpeg

/// Bytes that need not be held until they are sent, as they are found again, or made again, where they were let go of.
package struct FoundBytes: Sendable {
    /// The bytes.
    package let kept: KeptBytes

    private let again: @Sendable (Cancellation) throws -> KeptBytes

    /// Bytes that were found.
    ///
    /// - Parameters:
    ///   - kept: The bytes.
    ///   - again: Finds or makes them again, the same bytes each time; blocks meanwhile.
    package init(_ kept: KeptBytes, again: @escaping @Sendable (Cancellation) throws -> KeptBytes) {
        (self.kept, self.again) = (kept, again)
    }

    /// The way to the bytes, without the bytes.
    package var body: PiecewiseBody {
        PiecewiseBody(name: kept.tag, sizes: [Int64(kept.count)]) { [again] _, cancellation in try again(cancellation) }
    }
}
