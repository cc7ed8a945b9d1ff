package import Media

/// Bytes that need not be held until they are sent, as they are found again, or made again, where they were let go of.
package struct FoundBytes: Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    private let again: @Sendable (Cancellation) throws -> [UInt8]

    /// Bytes that were found.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - again: Finds or makes them again, the same bytes each time; blocks meanwhile.
    package init(_ bytes: [UInt8], again: @escaping @Sendable (Cancellation) throws -> [UInt8]) {
        (self.bytes, self.again) = (bytes, again)
    }

    /// The way to the bytes, without the bytes.
    package var body: PiecewiseBody {
        PiecewiseBody(sizes: [Int64(bytes.count)]) { [again] _, cancellation in try again(cancellation) }
    }
}
