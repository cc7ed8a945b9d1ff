/// The state of an item that survives a reload.
struct HLSRecord: Sendable {
    /// The app's requests about loading.
    var preferences = LoadingPreferences()

    /// Whether video is loaded, if it is separable.
    var isVideoLoaded = true

    /// Whether the buffer ran out since the last request.
    var isStarved = false

    var keyring = Keyring()
    var variants = VariantRecord()
}
