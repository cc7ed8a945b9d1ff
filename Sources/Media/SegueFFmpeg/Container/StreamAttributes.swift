/// What a muxer writes about a stream besides its codec.
package struct StreamAttributes: Sendable {
    /// Tags, such as `language`.
    package var metadata: [String: String] = [:]
    /// True if it is cover art.
    package var isAttachedPicture = false
    /// Clockwise rotation for display, in degrees.
    package var rotation: Double?
    /// The nine numbers of the matrix for display; goes before ``rotation``.
    package var displayMatrix: [Int32]?
    /// The codec tag to write; nil leaves it to the muxer.
    package var codecTag: UInt32?

    /// Nothing but the codec.
    package init() {}
}
