/// Reasons for rate changes that a log distinguishes from user actions.
package enum RateReason {
    /// The player adjusts its distance from the live edge.
    package static let liveCatchUp = "live-catch-up"
}
