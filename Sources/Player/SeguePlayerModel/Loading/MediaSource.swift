/// What is loaded, for whom, and how the platform wants it.
struct MediaSource: Sendable {
    /// The item that it is for.
    let item: ItemID

    /// What the item was made with.
    let url: String

    /// How the platform wants it.
    let settings: PlatformProfile.Loading

    /// What servers are told that the session is called.
    let session: String

    /// What they are told that is played.
    let contentID: String

    init(item: ItemID, url: String, settings: PlatformProfile.Loading, session: String) {
        (self.item, self.url, self.settings, self.session) = (item, url, settings, session)
        contentID = CommonMediaData.contentID(of: url)
    }
}
