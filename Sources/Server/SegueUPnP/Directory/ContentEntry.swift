/// An entry of a server's content tree with its searchable properties; its details are computed when it is listed.
package struct ContentEntry: Sendable, Equatable {
    /// The unique id.
    package var id: String
    /// The id of its container; `-1` for the root.
    package var parent: String
    /// The id of the entry that this one refers to; nil for an entry of its own.
    package var reference: String?
    /// The class, such as `object.container.album.musicAlbum`.
    package var type: String
    package var title: String
    package var artist: String?
    package var album: String?
    /// The track number in the album.
    package var track: Int?
    /// The number of children; nil for an item.
    package var childCount: Int?

    package init(id: String, parent: String, type: String, title: String, childCount: Int? = nil) {
        (self.id, self.parent, self.type, self.title, self.childCount) = (id, parent, type, title, childCount)
    }

    package var isContainer: Bool { childCount != nil }

    /// The value of a searchable or sortable property, or nil if it has none.
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

/// The UPnP name of a searchable or sortable property.
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

    /// The searchable properties, for `GetSearchCapabilities`.
    static let searched: [ContentProperty] = [.id, .parent, .reference, .type, .title, .creator, .artist, .album]
    /// The sortable properties, for `GetSortCapabilities`.
    static let sorted: [ContentProperty] = [.title, .creator, .artist, .album, .track, .type]
}

/// The details for playing and showing an entry.
package struct ContentDetails: Sendable, Equatable {
    /// The resources, the most widely supported first.
    package var resources: [ContentResource]
    /// The URL of its image.
    package var artwork: String?

    package init(resources: [ContentResource] = [], artwork: String? = nil) {
        (self.resources, self.artwork) = (resources, artwork)
    }
}

/// A resource of an item.
package struct ContentResource: Sendable, Equatable {
    /// The protocol: four fields separated by colons (ConnectionManager:1, section 2.5.2).
    package var protocolInfo: String
    /// The absolute URL.
    package var url: String
    /// The size in bytes.
    package var size: Int64?
    /// The duration in milliseconds.
    package var milliseconds: Int64?
    /// The rate in bytes per second, which UPnP calls bitrate.
    package var bytesPerSecond: Int64?
    /// The sample rate of the audio.
    package var sampleFrequency: Int?
    /// The number of audio channels.
    package var channels: Int?
    /// The width and height of the video.
    package var resolution: (width: Int, height: Int)?

    package init(protocolInfo: String, url: String) { (self.protocolInfo, self.url) = (protocolInfo, url) }

    package static func == (one: ContentResource, other: ContentResource) -> Bool {
        one.protocolInfo == other.protocolInfo && one.url == other.url && one.size == other.size
            && one.milliseconds == other.milliseconds && one.bytesPerSecond == other.bytesPerSecond
            && one.sampleFrequency == other.sampleFrequency && one.channels == other.channels
            && one.resolution?.width == other.resolution?.width && one.resolution?.height == other.resolution?.height
    }

    /// A duration in UPnP's format, `H:MM:SS.mmm` (ContentDirectory:1, section 2.8.3).
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
