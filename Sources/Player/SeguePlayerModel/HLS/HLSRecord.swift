/// What outlasts an item's being loaded, so that one that is loaded anew goes on with it.
struct HLSRecord: Sendable {
    /// What the app wishes.
    var wishes = LoadingWishes()

    /// Whether pictures are loaded, where they can be left out.
    var isVideoLoaded = true

    /// Whether the buffer ran out since the last request.
    var isStarved = false

    var keyring = Keyring()
    var variants = VariantRecord()
}
