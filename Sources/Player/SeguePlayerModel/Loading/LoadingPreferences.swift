/// An app's requests about the loading of an item.
struct LoadingPreferences: Sendable, Equatable {
    /// The maximum bit rate of variants, in bits per second; 0 for no limit.
    var peakBitrate = 0

    /// The buffer to maintain; zero leaves it to the profile.
    var forwardBuffer = Duration.zero

    /// Whether video is loaded.
    var isVideoWanted = true
}
