/// The share of the listed segments that a watch loads and inspects.
package enum MediaShare: String, Sendable, CaseIterable {
    /// Every listed segment.
    case all
    /// Now and then the newest segment of each playlist, within a rate.
    case sample
    /// No segment; only its head is requested.
    case none
}
