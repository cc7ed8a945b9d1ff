/// A resource of the media server, below `/dlna/`.
enum MediaServerPlace: Sendable, Equatable {
    /// A service of the media server.
    enum Service: String, Sendable, CaseIterable {
        case contentDirectory = "ContentDirectory"
        case connectionManager = "ConnectionManager"
    }

    case device
    case description(Service)
    case control(Service)
    case events(Service)

    static let all: [MediaServerPlace] =
        [.device] + Service.allCases.flatMap { [.description($0), .control($0), .events($0)] }

    var path: String {
        switch self {
        case .device: "/dlna/device.xml"
        case .description(let service): "/dlna/\(service.rawValue).xml"
        case .control(let service): "/dlna/\(service.rawValue)/control"
        case .events(let service): "/dlna/\(service.rawValue)/events"
        }
    }

    var methods: RouteMethods {
        switch self {
        case .device, .description: .reading
        case .control: RouteMethods(["POST", "OPTIONS"], bodyLimit: 64 << 10)
        case .events: RouteMethods(["SUBSCRIBE", "UNSUBSCRIBE", "OPTIONS"])
        }
    }
}
