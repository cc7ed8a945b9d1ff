import SegueConcurrency
import SeguePackager

/// A kind of resource: its path, methods, cost, access, and handler.
struct Route: Sendable {
    /// The visitors who may use a route.
    enum Access: Sendable {
        /// Everyone, without a key.
        case everyone
        /// Everyone with a key; handlers show the visitor's folders only.
        case visitors
        /// Visitors who see the whole library; the others receive a 404.
        case wholeLibrary
    }

    /// The work that a response takes.
    enum Effort: Sendable {
        /// A file is read, or values in memory are printed.
        case none
        /// Work that is usually short.
        case little
        /// Work that takes long.
        case much
        /// Long if a parameter of the query is set, otherwise usually short.
        case muchWith(String)
    }

    /// A request's path, taken apart.
    struct Match: Sendable {
        var itemID: String?
        /// The kind of work: work of one kind takes about as long each time.
        ///
        /// Nil if each target is its own kind.
        var kind: String?
        var respond: Handler
    }

    typealias Handler = @Sendable (ResourceRequest, OriginServices) throws -> OriginResponse

    /// The components of paths that stand for an item's id and for the tag of its file.
    static let (id, tag) = ("ID", "TAG")

    let name: RouteName
    /// The path, or an example of it; with a query if the route requires one.
    let path: String
    /// The start of the content type; empty if it depends on the item.
    let contentType: String
    var methods = RouteMethods.reading
    let effort: Effort
    var access = Access.visitors
    /// True if televisions need the route, whose key opens no other.
    var servesTelevisions = false
    /// True if a server has the resource only with certain options.
    var isOptional = false
    /// True if the response lists items, so that the library is scanned for new files.
    var listsItems = false
    let match: @Sendable ([String]) -> Match?

    var components: [String] { Self.components(of: path) }

    func example(id: String, tag: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { component in
            switch component {
            case Self.id: id
            case Self.tag: tag
            default: String(component)
            }
        }.joined(separator: "/")
    }

    /// The route with other properties.
    func with(_ change: (inout Route) -> Void) -> Route {
        var route = self
        change(&route)
        return route
    }

    private static func components(of path: String) -> [String] {
        path.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    }
}

extension Route {
    /// A route of a single path.
    static func fixed(
        _ name: RouteName,
        at path: String,
        type contentType: String,
        effort: Effort = .little,
        respond: @escaping Handler
    ) -> Route {
        let expected = components(of: path)
        return Route(name: name, path: path, contentType: contentType, effort: effort) {
            $0 == expected ? Match(respond: respond) : nil
        }
    }

    /// A route of many paths.
    static func parsed<Value: Sendable>(
        _ name: RouteName,
        at path: String,
        type contentType: String,
        effort: Effort = .little,
        parse: @escaping @Sendable ([String]) -> Value?,
        respond: @escaping @Sendable (ResourceRequest, OriginServices, Value) throws -> OriginResponse
    ) -> Route {
        Route(name: name, path: path, contentType: contentType, effort: effort) { components in
            parse(components).map { value in Match { try respond($0, $1, value) } }
        }
    }

    static func item(
        _ name: RouteName,
        at path: String,
        type contentType: String,
        methods: RouteMethods = .reading,
        effort: Effort = .little,
        respond: @escaping @Sendable (ResourceRequest, OriginServices, LibraryItem) throws -> OriginResponse
    ) -> Route {
        let pattern = components(of: path)
        return Route(name: name, path: path, contentType: contentType, methods: methods, effort: effort) { components in
            guard components.count == pattern.count,
                zip(components, pattern).allSatisfy({ $0 == $1 || $1 == Self.id }),
                let place = pattern.firstIndex(of: Self.id)
            else { return nil }
            let id = components[place]
            return Match(itemID: id) { asked, services in
                try services.withItem(id, asked) { try respond(asked, services, $0) }
            }
        }
    }

    /// A route of one kind of piece of an item.
    static func piece<Value: Sendable>(
        _ name: RouteName,
        at path: String,
        type contentType: String,
        effort: Effort = .little,
        select: @escaping @Sendable (SegmentAddress.Piece) -> Value?,
        respond:
            @escaping @Sendable (ResourceRequest, OriginServices, LibraryItem, SegmentAddress, Value) throws ->
            OriginResponse
    ) -> Route {
        Route(name: name, path: path, contentType: contentType, effort: effort) { components in
            guard components.count > 3, let address = SegmentAddress(components[2...]),
                let value = select(address.piece)
            else { return nil }
            let id = components[1]
            return Match(itemID: id, kind: address.workKind.map { "\(id) \($0)" }) { asked, services in
                try services.withItem(id, asked) { try respond(asked, services, $0, address, value) }
            }
        }
    }
}

extension SegmentAddress {
    /// The kind of work that making the piece is, within an item; nil if each piece is its own kind.
    fileprivate var workKind: String? {
        guard case .segment(_, let rendition) = piece else { return nil }
        return "\(device ?? "") \(rendition.rawValue) \(container.rawValue)"
    }
}
