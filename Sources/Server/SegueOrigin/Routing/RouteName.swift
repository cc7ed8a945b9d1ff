/// What the kinds of resources are called, in figures and among the server's commands.
///
/// A route without a name does not compile, and neither does a name without commands in `segue commands`.
package enum RouteName: String, Sendable, CaseIterable {
    /// The page for browsers.
    case page
    /// A file that the page needs.
    case pageFile
    /// The list of items.
    case items
    /// One item with all that is known of it.
    case item
    /// Items that belong together.
    case groups
    /// Where somebody stopped, in all items.
    case resume
    /// Where somebody stopped in one item.
    case resumePoint
    /// A multivariant playlist.
    case master
    /// A media playlist.
    case media
    /// An init segment.
    case initSegment = "init"
    /// A segment of picture or sound.
    case segment
    /// All segments as one resource.
    case whole
    /// A segment of subtitles.
    case subtitles
    /// A file as it is.
    case original
    /// Cover art.
    case artwork
    /// The sound of all files as one stream without an end.
    case radio
    /// A playlist of a folder's channel.
    case channel
    /// A segment of a channel, or a part of one.
    case channelPiece = "channel-piece"
    /// Liveness.
    case health
    /// Figures for Prometheus.
    case metrics
    /// The server's address as a code for cameras.
    case code
    /// The certificate by which clients know the server.
    case certificate
    /// What televisions see.
    case mediaServer = "dlna"

    /// What kind of resource a target leads to; nil where it leads to nothing.
    ///
    /// - Parameter target: Path and query as sent; a key in front of the path is passed over.
    package init?(target: String) {
        guard let components = (try? RequestTarget(target))?.components else { return nil }
        let isBehindKey = components.count >= 2 && components[0] == "k"
        let path = isBehindKey ? Array(components.dropFirst(2)) : components
        guard let route = Route(path == [""] ? [] : path) else { return nil }
        self = route.name
    }

    /// Whether the route is about one item.
    package var isOfItem: Bool {
        switch self {
        case .page, .pageFile, .items, .groups, .resume, .radio, .channel, .channelPiece, .health, .metrics, .code,
            .certificate, .mediaServer:
            false
        case .item, .resumePoint, .master, .media, .initSegment, .segment, .whole, .subtitles, .original, .artwork: true
        }
    }

    /// A method by which such an address is asked.
    package var method: String { self == .resumePoint ? "DELETE" : "GET" }

    /// An address of this kind.
    ///
    /// - Parameters:
    ///   - id: The id of the item that it is about, where it is about one.
    ///   - tag: The tag of that item's file.
    /// - Returns: The path.
    package func example(id: String, tag: String) -> String {
        switch self {
        case .page: "/"
        case .pageFile: "/page/\(tag)/page.css"
        case .items: "/api/items"
        case .item: "/api/items/\(id)"
        case .groups: "/api/groups?by=folder"
        case .resume: "/api/resume"
        case .resumePoint: "/api/resume/\(id)"
        case .master: "/items/\(id)/master.m3u8"
        case .media: "/items/\(id)/index.m3u8"
        case .initSegment: "/items/\(id)/\(tag)/full.fmp4/init.mp4"
        case .segment: "/items/\(id)/\(tag)/full.ts/0.ts"
        case .whole: "/items/\(id)/\(tag)/full.ts/whole.ts"
        case .subtitles: "/items/\(id)/\(tag)/subtitles-0.ts/0.vtt"
        case .original: "/items/\(id)/original"
        case .artwork: "/items/\(id)/artwork.jpg"
        case .radio: "/radio"
        case .channel: "/channel/index.m3u8"
        case .channelPiece: "/channel/\(tag)/full/0.m4s"
        case .health: "/health"
        case .metrics: "/metrics"
        case .code: "/qr.svg"
        case .certificate: "/certificate.crt"
        case .mediaServer: "/dlna/device.xml"
        }
    }
}

extension Route {
    /// What kind of resource it leads to.
    var name: RouteName {
        switch self {
        case .page: .page
        case .pageFile: .pageFile
        case .items: .items
        case .item: .item
        case .groups: .groups
        case .resume: .resume
        case .resumePoint: .resumePoint
        case .part(let part, _): part.name
        case .radio: .radio
        case .channel(.multivariantPlaylist), .channel(.mediaPlaylist): .channel
        case .channel(.piece): .channelPiece
        case .health: .health
        case .metrics: .metrics
        case .code: .code
        case .certificate: .certificate
        case .mediaServer: .mediaServer
        }
    }
}

extension Route.Part {
    fileprivate var name: RouteName {
        switch self {
        case .multivariantPlaylist: .master
        case .mediaPlaylist: .media
        case .original: .original
        case .artwork: .artwork
        case .piece(let address):
            switch address.piece {
            case .initSegment: .initSegment
            case .segment: .segment
            case .whole: .whole
            case .subtitles: .subtitles
            }
        }
    }
}
