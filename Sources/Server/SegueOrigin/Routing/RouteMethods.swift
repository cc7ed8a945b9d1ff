/// The methods with which a route may be asked.
enum RouteMethods: Sendable {
    /// Those that change nothing.
    case reading
    /// Those that keep something and forget it.
    case keeping
    /// Those by which a place of the media server is asked.
    case mediaServer(MediaServerPlace)

    /// The methods, as in `Allow`.
    var allow: String {
        switch self {
        case .reading: "GET, HEAD, OPTIONS"
        case .keeping: "DELETE, OPTIONS, POST, PUT"
        case .mediaServer(let place): (place.methods + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    /// Whether a method is one of them.
    func holds(_ method: String) -> Bool { allow.split(separator: ", ").contains(method[...]) }

    /// How many bytes may be sent with a method at the most; nil where what is sent is not looked at.
    func bodyLimit(_ method: String) -> Int? {
        guard method == "POST" || method == "PUT", holds(method) else { return nil }
        switch self {
        case .reading: return nil
        case .keeping: return 8 << 10
        case .mediaServer: return 64 << 10
        }
    }
}

extension Route {
    /// With which methods it may be asked.
    var methods: RouteMethods {
        switch self {
        case .page, .pageFile, .items, .item, .groups, .resume, .part, .radio, .channel, .health, .metrics, .code,
            .certificate:
            .reading
        case .resumePoint: .keeping
        case .mediaServer(let place): .mediaServer(place)
        }
    }
}

extension Responder {
    /// How many bytes a request may bring along at the most; nil where what it brings is not looked at.
    package static func bodyLimit(of request: OriginRequest) -> Int? {
        guard let target = try? RequestTarget(request.target), let route = Route(target.components) else { return nil }
        return route.methods.bodyLimit(request.method)
    }
}
