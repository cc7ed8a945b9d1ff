/// Reasons for which a player's rate changes that those who read a log tell from a user's wish.
package enum RateReason {
    /// The player comes nearer to the live edge, or goes further away from it, by itself.
    package static let liveCatchUp = "live-catch-up"
}
