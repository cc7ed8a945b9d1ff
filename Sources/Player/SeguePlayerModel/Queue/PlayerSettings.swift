internal import SegueBase

/// What an app sets of a player.
package struct PlayerSettings: Sendable {
    /// What happens when the current item has played to its end.
    package internal(set) var actionAtItemEnd = QueuePlayer.EndAction.advance

    /// Whether it waits until playback is likely to go on without a stall.
    package internal(set) var waitsToMinimizeStalls: Bool

    /// The rate that `play` takes where the platform has such a setting.
    package internal(set) var defaultRate = 1.0

    /// The most that a variant may take, in bits per second; 0 for no limit.
    package internal(set) var peakBitrate = 0

    /// How much is to be buffered ahead; zero leaves it to the platform.
    package internal(set) var forwardBuffer = Duration.zero
}
