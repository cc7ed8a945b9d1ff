/// The source of an item's media, with the settings for loading them.
struct MediaSource: Sendable {
    let item: ItemID

    /// The URL that the item was created with.
    let url: String

    let settings: PlatformProfile.Loading

    /// The session ID in client data.
    let session: String

    /// The content ID in client data.
    let contentID: String

    init(item: ItemID, url: String, settings: PlatformProfile.Loading, session: String) {
        (self.item, self.url, self.settings, self.session) = (item, url, settings, session)
        contentID = CommonMediaData.contentID(of: url)
    }
}
