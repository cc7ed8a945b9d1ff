/// What of the media server lies below `/dlna/`.
enum MediaServerPlace: Sendable, Equatable {
    /// One of the two services that a server of media has.
    enum Service: String, Sendable {
        case contentDirectory = "ContentDirectory"
        case connectionManager = "ConnectionManager"
    }

    /// `device.xml`.
    case device
    /// `SERVICE.xml`.
    case description(Service)
    /// `SERVICE/control`.
    case control(Service)
    /// `SERVICE/events`.
    case events(Service)

    /// The place that a path's components behind `dlna` name; nil where there is nothing.
    init?(_ components: ArraySlice<String>) {
        let words = Array(components)
        switch words.count {
        case 1 where words[0] == "device.xml": self = .device
        case 1:
            guard words[0].hasSuffix(".xml"), let service = Service(rawValue: String(words[0].dropLast(4))) else {
                return nil
            }
            self = .description(service)
        case 2:
            guard let service = Service(rawValue: words[0]) else { return nil }
            switch words[1] {
            case "control": self = .control(service)
            case "events": self = .events(service)
            default: return nil
            }
        default: return nil
        }
    }

    /// The methods by which it is asked.
    var methods: [String] {
        switch self {
        case .device, .description: ["GET", "HEAD"]
        case .control: ["POST"]
        case .events: ["SUBSCRIBE", "UNSUBSCRIBE"]
        }
    }
}
