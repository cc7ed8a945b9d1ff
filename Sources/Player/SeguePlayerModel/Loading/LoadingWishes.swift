/// What an app wishes of an item's loading.
struct LoadingWishes: Sendable, Equatable {
    /// The most that a variant may take, in bits per second; 0 for no limit.
    var peakBitrate = 0

    /// How much is to be buffered ahead; zero leaves it to the profile.
    var forwardBuffer = Duration.zero

    /// Whether pictures are loaded.
    var isVideoWanted = true
}
