/// The video layer of an app.
enum VideoLayer: Sendable, Equatable {
    case attached
    /// The app detached it, early enough for playback to continue in the background or not.
    case detached(helps: Bool)
    /// The app never had one.
    case absent

    init(of app: AppTraits) { self = app.hasLayer ? .attached : .absent }

    /// True if video keeps playing because the layer was detached in time.
    var isHelping: Bool { self == .detached(helps: true) }
}
