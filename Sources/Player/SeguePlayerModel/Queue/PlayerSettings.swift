internal import SegueBase

/// The settings of a player that the app controls.
package struct PlayerSettings: Sendable {
    /// The action at the end of the current item.
    package internal(set) var actionAtItemEnd = QueuePlayer.EndAction.advance

    /// Whether the player waits until playback is likely to continue without a stall.
    package internal(set) var waitsToMinimizeStalls: Bool

    /// The rate of `play`, on platforms that have this setting.
    package internal(set) var defaultRate = 1.0

    /// The maximum bit rate of variants, in bits per second; 0 for no limit.
    package internal(set) var peakBitrate = 0

    /// The buffer to maintain; zero leaves it to the platform.
    package internal(set) var forwardBuffer = Duration.zero
}
