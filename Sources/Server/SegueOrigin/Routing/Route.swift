/// What a path leads to.
enum Route: Sendable, Equatable {
    /// One kind of thing below `/items/ID/`.
    enum Part: Sendable, Equatable {
        case multivariantPlaylist
        case mediaPlaylist
        case piece(SegmentAddress)
        case original
        case artwork
    }

    case page
    case pageFile(name: String, version: String)
    case items
    case item(id: String)
    case groups
    /// Where somebody stopped, in all items.
    case resume
    /// Where somebody stopped in an item.
    case resumePoint(id: String)
    case part(Part, id: String)
    case radio
    /// What is on the channel of a folder.
    case channel(ChannelPlace)
    case health
    case metrics
    case mediaServer(MediaServerPlace)
    /// The address as a code for cameras.
    case code
    /// The certificate by which clients know the server.
    case certificate

    /// The route of a path's components; nil where there is nothing.
    init?(_ components: [String]) {
        switch components.first {
        case nil: self = .page
        case "page" where (3...4).contains(components.count):
            self = .pageFile(name: components[2...].joined(separator: "/"), version: components[1])
        case "health" where components.count == 1: self = .health
        case "radio" where components.count == 1: self = .radio
        case "metrics" where components.count == 1: self = .metrics
        case "channel":
            guard let place = ChannelPlace(components.dropFirst()) else { return nil }
            self = .channel(place)
        case "dlna":
            guard let place = MediaServerPlace(components.dropFirst()) else { return nil }
            self = .mediaServer(place)
        case "qr.svg" where components.count == 1: self = .code
        case "certificate.crt" where components.count == 1: self = .certificate
        case "api" where components.count == 2 && components[1] == "items": self = .items
        case "api" where components.count == 3 && components[1] == "items": self = .item(id: components[2])
        case "api" where components.count == 2 && components[1] == "groups": self = .groups
        case "api" where components.count == 2 && components[1] == "resume": self = .resume
        case "api" where components.count == 3 && components[1] == "resume": self = .resumePoint(id: components[2])
        case "items" where components.count > 2:
            guard let part = Part(components[2...]) else { return nil }
            self = .part(part, id: components[1])
        default: return nil
        }
    }
}

extension Route.Part {
    /// The part of an item that a path's components behind its id name; nil where there is none.
    fileprivate init?(_ components: ArraySlice<String>) {
        if components.count > 1 {
            guard let address = SegmentAddress(components) else { return nil }
            self = .piece(address)
            return
        }
        switch components.first {
        case "master.m3u8": self = .multivariantPlaylist
        case "index.m3u8": self = .mediaPlaylist
        case "original": self = .original
        case "artwork.jpg": self = .artwork
        default: return nil
        }
    }
}
