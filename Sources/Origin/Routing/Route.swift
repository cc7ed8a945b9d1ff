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
    case items
    case item(id: String)
    case part(Part, id: String)
    case radio
    case health
    case metrics

    /// The route of a path's components; nil where there is nothing.
    init?(_ components: [String]) {
        switch components.first {
        case nil: self = .page
        case "health" where components.count == 1: self = .health
        case "radio" where components.count == 1: self = .radio
        case "metrics" where components.count == 1: self = .metrics
        case "api" where components.count == 2 && components[1] == "items": self = .items
        case "api" where components.count == 3 && components[1] == "items": self = .item(id: components[2])
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
