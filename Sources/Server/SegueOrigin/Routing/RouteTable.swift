import SeguePackager

/// The name of a kind of resource, as metrics and `segue commands` show it.
package enum RouteName: String, Sendable, CaseIterable {
    case page
    case pageFile
    case items
    case item
    case groups
    case resume
    case resumePoint
    case master
    case media
    case initSegment = "init"
    case segment
    case whole
    case subtitles
    case original
    case artwork
    case radio
    case channel
    case channelPiece = "channel-piece"
    case health
    case metrics
    case code
    case certificate
    case mediaServer = "dlna"
}

/// The routes of the server.
///
/// A new resource is a ``RouteName``, an entry here, and a handler.
enum RouteTable {
    static let routes: [Route] =
        pages + api + playback.map { $0.with { $0.servesTelevisions = true } } + [whole] + streams + server
        + MediaServerPlace.all.map(mediaServer)

    private static let json = "application/json"
    private static let playlist = "application/vnd.apple.mpegurl"

    private static let pages: [Route] = [
        .fixed(.page, at: "/", type: "text/html", effort: .none) { asked, services in
            try services.page.respond(asked)
        }.with { $0.listsItems = true },
        .parsed(.pageFile, at: "/page/TAG/page.css", type: "text/css", effort: .none) {
            components -> (name: String, version: String)? in
            guard (3...4).contains(components.count) else { return nil }
            return (name: components[2...].joined(separator: "/"), version: components[1])
        } respond: { asked, services, file in
            try services.page.file(asked, file.name, version: file.version)
        },
    ]

    private static let api: [Route] = [
        .fixed(.items, at: "/api/items", type: json) { asked, services in
            try ItemListHandler(finder: services.finder, resume: services.resume).respond(asked)
        }.with { $0.listsItems = true },
        .item(.item, at: "/api/items/ID", type: json) { asked, services, item in
            try ItemDetailsHandler(opener: services.opener).respond(asked, item)
        },
        .fixed(.groups, at: "/api/groups?by=folder", type: json) { asked, services in
            try GroupListHandler(shelf: services.shelf).respond(asked)
        },
        .fixed(.resume, at: "/api/resume", type: json) { asked, services in
            try services.resume.respond(asked)
        },
        .item(.resumePoint, at: "/api/resume/ID", type: json, methods: .changing) { asked, services, item in
            try services.resume.respond(asked, item)
        },
    ]

    /// The parts of an item that televisions play, too.
    private static let playback: [Route] = [
        .item(.master, at: "/items/ID/master.m3u8", type: playlist, effort: .muchWith("ladder")) {
            asked,
            services,
            item in
            try MultivariantPlaylistHandler(opener: services.opener).respond(asked, item)
        },
        .item(.media, at: "/items/ID/index.m3u8", type: playlist, effort: .muchWith("byterange")) {
            asked,
            services,
            item in
            try MediaPlaylistHandler(opener: services.opener, layouts: services.layouts).respond(asked, item)
        },
        .piece(.initSegment, at: "/items/ID/TAG/full.fmp4/init.mp4", type: "video/mp4") { piece -> Rendition? in
            if case .initSegment(let rendition) = piece { rendition } else { nil }
        } respond: { asked, services, item, address, rendition in
            try InitSegmentHandler(maker: services.maker).respond(
                asked,
                services.opener.delivered(rendition, of: item, at: address)
            )
        },
        .piece(.segment, at: "/items/ID/TAG/full.ts/0.ts", type: "video/mp2t") { piece -> (Int, Rendition)? in
            if case .segment(let number, let rendition) = piece { (number, rendition) } else { nil }
        } respond: { asked, services, item, address, segment in
            let (number, rendition) = segment
            return try SegmentHandler(maker: services.maker, ahead: services.ahead).respond(
                asked,
                services.opener.delivered(number, rendition, of: item, at: address)
            )
        },
        .piece(.subtitles, at: "/items/ID/TAG/subtitles-0.ts/0.vtt", type: "text/vtt") {
            piece -> (Int, SubtitlesSource)? in
            if case .subtitles(let number, let source) = piece { (number, source) } else { nil }
        } respond: { asked, services, item, address, segment in
            let (number, source) = segment
            return try SubtitlesHandler(opener: services.opener).respond(
                asked,
                number: number,
                of: source,
                item: item,
                at: address
            )
        },
        .item(.original, at: "/items/ID/original", type: "", effort: .none) { asked, services, item in
            try OriginalHandler(opener: services.opener).respond(asked, item)
        },
        .item(.artwork, at: "/items/ID/artwork.jpg", type: "image/jpeg") { asked, services, item in
            try ArtworkHandler(opener: services.opener, store: services.maker.store, work: services.work)
                .respond(asked, item)
        },
    ]

    private static let whole = Route.piece(
        .whole,
        at: "/items/ID/TAG/full.ts/whole.ts",
        type: "video/mp2t",
        effort: .much
    ) { piece -> Rendition? in
        if case .whole(let rendition) = piece { rendition } else { nil }
    } respond: { asked, services, item, address, rendition in
        try WholeHandler(maker: services.maker, layouts: services.layouts).respond(
            asked,
            services.opener.delivered(rendition, of: item, at: address),
            of: item
        )
    }

    private static let streams: [Route] = [
        .fixed(.radio, at: "/radio", type: "audio/mpeg") { asked, services in
            try RadioHandler(library: services.library, stations: services.stations).respond(asked)
        },
        .fixed(.channel, at: "/channel/index.m3u8", type: playlist) { asked, services in
            try services.channel.respond(asked, .mediaPlaylist)
        },
        .fixed(.channel, at: "/channel/master.m3u8", type: playlist) { asked, services in
            try services.channel.respond(asked, .multivariantPlaylist)
        },
        .parsed(.channelPiece, at: "/channel/TAG/full/0.m4s", type: "video/mp4") { components in
            ChannelPlace(piece: components.dropFirst())
        } respond: { asked, services, place in
            try services.channel.respond(asked, place)
        },
    ]

    private static let server: [Route] = [
        .fixed(.health, at: "/health", type: "text/plain", effort: .none) { _, services in
            .text("ok\n\(services.work.report?.text ?? "")", "text/plain; charset=utf-8")
        }.with { $0.access = .everyone },
        .fixed(.metrics, at: "/metrics", type: "text/plain", effort: .none) { _, services in
            MetricsHandler(
                metrics: services.metrics,
                opener: services.opener,
                store: services.maker.store,
                work: services.work
            ).respond()
        }.with { $0.access = .wholeLibrary },
        .fixed(.code, at: "/qr.svg", type: "image/svg+xml", effort: .none) { asked, services in
            try AddressHandler(addresses: services.addresses).code(asked)
        }.with { $0.isOptional = true },
        .fixed(.certificate, at: "/certificate.crt", type: "application/", effort: .none) { asked, services in
            try AddressHandler(addresses: services.addresses).certificate(asked)
        }.with { $0.isOptional = true },
    ]

    private static func mediaServer(_ place: MediaServerPlace) -> Route {
        .fixed(.mediaServer, at: place.path, type: "text/xml") { asked, services in
            guard let mediaServer = services.mediaServer else { throw OriginFailure.noResource }
            return try mediaServer.respond(asked, place)
        }.with {
            ($0.methods, $0.isOptional) = (place.methods, true)
            $0.servesTelevisions = true
            $0.listsItems = place == .control(.contentDirectory)
        }
    }
}

extension RouteTable {
    private static let routesByFolder = Dictionary(grouping: routes) { $0.components.first ?? "" }

    /// The route of a path's components and the values in them, or nil if the server has no such resource.
    static func match(_ components: [String]) -> (route: Route, match: Route.Match)? {
        for route in routesByFolder[components.first ?? ""] ?? [] {
            if let match = route.match(components) { return (route, match) }
        }
        return nil
    }
}

extension RouteName {
    private static let routes = Dictionary(
        RouteTable.routes.map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    private var route: Route {
        guard let route = Self.routes[self] else { preconditionFailure("RouteTable has no route named \(rawValue)") }
        return route
    }

    /// The name of the route of a target, or nil if the server has no such resource.
    ///
    /// - Parameter target: The path and the query as sent; a leading key, `/k/KEY`, is skipped.
    package init?(target: String) {
        guard let components = (try? RequestTarget(target))?.components else { return nil }
        let hasKey = components.count >= 2 && components[0] == "k"
        let path = hasKey ? Array(components.dropFirst(2)) : components
        guard let name = RouteTable.match(path == [""] ? [] : path)?.route.name else { return nil }
        self = name
    }

    /// True if the route belongs to one item.
    package var isOfItem: Bool { route.components.contains(Route.id) }

    /// True if a server has the resource only with certain options.
    package var isOptional: Bool { route.isOptional }

    /// The start of the content type; empty if it depends on the item.
    package var contentType: String { route.contentType }

    package var method: String { route.methods.names[0] }

    /// A path of the route.
    ///
    /// - Parameters:
    ///   - id: The item's id, for routes of items.
    ///   - tag: The tag of the item's file.
    /// - Returns: The path.
    package func example(id: String, tag: String) -> String { route.example(id: id, tag: tag) }
}
