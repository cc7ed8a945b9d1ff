import SegueBase

/// A list of entries in DIDL-Lite (ContentDirectory:1, appendix A).
struct DIDLLite: Sendable {
    private let filter: ContentFilter
    private var body = ""

    init(_ filter: ContentFilter) { self.filter = filter }

    mutating func add(_ entry: ContentEntry, _ details: ContentDetails) {
        let name = entry.isContainer ? "container" : "item"
        body += "<\(name) id=\"\(escaped(entry.id))\" parentID=\"\(escaped(entry.parent))\" restricted=\"1\""
        if let count = entry.childCount {
            if filter.wants("@childCount") || filter.wants("container@childCount") {
                body += " childCount=\"\(count)\""
            }
            if filter.wants("@searchable") { body += " searchable=\"1\"" }
        }
        if let reference = entry.reference, filter.wants("@refID") { body += " refID=\"\(escaped(reference))\"" }
        body += ">"
        element("dc:title", entry.title)
        if let artist = entry.artist {
            if filter.wants("dc:creator") { element("dc:creator", artist) }
            if filter.wants("upnp:artist") { element("upnp:artist", artist) }
        }
        if let album = entry.album, filter.wants("upnp:album") { element("upnp:album", album) }
        if let track = entry.track, filter.wants("upnp:originalTrackNumber") {
            element("upnp:originalTrackNumber", String(track))
        }
        if let artwork = details.artwork, filter.wants("upnp:albumArtURI") { element("upnp:albumArtURI", artwork) }
        if filter.wants("res") { for resource in details.resources { add(resource) } }
        element("upnp:class", entry.type)
        body += "</\(name)>"
    }

    /// The list as a document.
    var xml: String {
        """
        <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
        xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" \
        xmlns:dlna="urn:schemas-dlna-org:metadata-1-0/">\(body)</DIDL-Lite>
        """
    }

    var byteCount: Int { body.utf8.count }

    private mutating func add(_ resource: ContentResource) {
        body += "<res protocolInfo=\"\(escaped(resource.protocolInfo))\""
        let attributes: [(String, String?)] = [
            ("size", resource.size.map { String($0) }),
            ("duration", resource.milliseconds.map { ContentResource.duration(milliseconds: $0) }),
            ("bitrate", resource.bytesPerSecond.map { String($0) }),
            ("sampleFrequency", resource.sampleFrequency.map { String($0) }),
            ("nrAudioChannels", resource.channels.map { String($0) }),
            ("resolution", resource.resolution.map { "\($0.width)x\($0.height)" }),
        ]
        for case (let name, let value?) in attributes where filter.wants(name, of: "res") {
            body += " \(name)=\"\(escaped(value))\""
        }
        body += ">\(escaped(resource.url))</res>"
    }

    private mutating func element(_ name: String, _ text: String) { body += "<\(name)>\(escaped(text))</\(name)>" }

    private func escaped(_ text: String) -> String { MarkupText.escaped(text) }
}
