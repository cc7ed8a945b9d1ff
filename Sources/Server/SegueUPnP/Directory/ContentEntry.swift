/// Something in a server's tree of content, as it is searched and sorted; what it takes to play it is asked for only when
/// it is shown.
package struct ContentEntry: Sendable, Equatable {
    /// What tells it from all others in the tree.
    package var id: String
    /// The container that it is in; `-1` for the root.
    package var parent: String
    /// The entry of which this is another, in another container; nil for one of its own.
    package var reference: String?
    /// Its class, such as `object.container.album.musicAlbum`.
    package var type: String
    /// What it is called.
    package var title: String
    /// Who made it.
    package var artist: String?
    /// The album that it is in.
    package var album: String?
    /// Its number in the album.
    package var track: Int?
    /// How many entries are directly in it; nil for what is no container.
    package var childCount: Int?

    /// An entry of the given parts.
    package init(
        id: String,
        parent: String,
        reference: String? = nil,
        type: String,
        title: String,
        artist: String? = nil,
        album: String? = nil,
        track: Int? = nil,
        childCount: Int? = nil
    ) {
        (self.id, self.parent, self.reference) = (id, parent, reference)
        (self.type, self.title, self.artist, self.album) = (type, title, artist, album)
        (self.track, self.childCount) = (track, childCount)
    }

    /// Whether other entries may be in it.
    package var isContainer: Bool { childCount != nil }

    /// The value of a property that can be searched or sorted by; nil where it has none.
    func value(of property: ContentProperty) -> String? {
        switch property {
        case .id: id
        case .parent: parent
        case .reference: reference
        case .type: type
        case .title: title
        case .creator, .artist: artist
        case .album: album
        case .track: track.map { String($0) }
        }
    }
}

/// A property that can be searched or sorted by, by its name in UPnP.
package enum ContentProperty: String, Sendable, CaseIterable {
    case id = "@id"
    case parent = "@parentID"
    case reference = "@refID"
    case type = "upnp:class"
    case title = "dc:title"
    case creator = "dc:creator"
    case artist = "upnp:artist"
    case album = "upnp:album"
    case track = "upnp:originalTrackNumber"

    /// Those that a search may name, as `GetSearchCapabilities` gives them.
    static let searched: [ContentProperty] = [.id, .parent, .reference, .type, .title, .creator, .artist, .album]
    /// Those that entries may be sorted by, as `GetSortCapabilities` gives them.
    static let sorted: [ContentProperty] = [.title, .creator, .artist, .album, .track, .type]
}

/// What an entry takes to be played and shown.
package struct ContentDetails: Sendable, Equatable {
    /// Where it can be had, what most players can take first.
    package var resources: [ContentResource]
    /// The address of its picture.
    package var artwork: String?

    /// Details; none unless told otherwise.
    package init(resources: [ContentResource] = [], artwork: String? = nil) {
        (self.resources, self.artwork) = (resources, artwork)
    }
}

/// One way in which an item can be had.
package struct ContentResource: Sendable, Equatable {
    /// What it is and how it is had: four fields between colons (ConnectionManager:1, section 2.5.2).
    package var protocolInfo: String
    /// Its absolute address.
    package var url: String
    /// Its bytes.
    package var size: Int64?
    /// Its length in milliseconds.
    package var milliseconds: Int64?
    /// Bytes a second, which UPnP calls its bit rate.
    package var bytesPerSecond: Int64?
    /// Samples a second of its sound.
    package var sampleFrequency: Int?
    /// The channels of its sound.
    package var channels: Int?
    /// Width and height of its picture.
    package var resolution: (width: Int, height: Int)?

    /// A resource; what is not known is left out.
    package init(protocolInfo: String, url: String) { (self.protocolInfo, self.url) = (protocolInfo, url) }

    /// Whether two are the same.
    package static func == (one: ContentResource, other: ContentResource) -> Bool {
        one.protocolInfo == other.protocolInfo && one.url == other.url && one.size == other.size
            && one.milliseconds == other.milliseconds && one.bytesPerSecond == other.bytesPerSecond
            && one.sampleFrequency == other.sampleFrequency && one.channels == other.channels
            && one.resolution?.width == other.resolution?.width && one.resolution?.height == other.resolution?.height
    }

    /// A length as UPnP writes it, `H:MM:SS.mmm` (ContentDirectory:1, section 2.8.3).
    static func duration(milliseconds: Int64) -> String {
        let total = max(0, milliseconds)
        let padded = { (number: Int64, width: Int) in
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let (hours, minutes) = (total / 3_600_000, total / 60_000 % 60)
        return "\(hours):\(padded(minutes, 2)):\(padded(total / 1000 % 60, 2)).\(padded(total % 1000, 3))"
    }
}
