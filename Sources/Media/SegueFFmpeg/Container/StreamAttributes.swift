/// The stream properties that a muxer writes besides the codec.
package struct StreamAttributes: Sendable {
    /// Tags, such as `language`.
    package var metadata: [String: String] = [:]
    package var isAttachedPicture = false
    /// Clockwise rotation for display, in degrees.
    package var rotation: Double?
    /// The display matrix; takes precedence over ``rotation``.
    package var displayMatrix: [Int32]?
    /// The Dolby Vision configuration to declare.
    package var dolbyVision: DolbyVision?
    /// The codec tag to write; nil for the muxer's choice.
    package var codecTag: UInt32?

    package init() {}
}
