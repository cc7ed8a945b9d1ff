/// The kinds of resources that the server has.
///
/// Each has its commands in `segue commands`: a route without a name, or a name without commands, does not compile.
package enum RouteName: String, Sendable, CaseIterable {
    /// The page for browsers.
    case page
    /// The list of items.
    case items
    /// One item with all that is known of it.
    case item
    /// A multivariant playlist.
    case multivariantPlaylist = "master playlist"
    /// A media playlist.
    case mediaPlaylist = "media playlist"
    /// An init segment, a segment, a segment of subtitles, or all segments as one resource.
    case piece
    /// A file as it is.
    case original
    /// Cover art.
    case artwork
    /// The sound of all files as one stream without an end.
    case radio
    /// Liveness.
    case health
    /// Figures for Prometheus.
    case metrics
}

extension Route {
    /// What kind of resource it leads to.
    var name: RouteName {
        switch self {
        case .page: .page
        case .items: .items
        case .item: .item
        case .part(.multivariantPlaylist, _): .multivariantPlaylist
        case .part(.mediaPlaylist, _): .mediaPlaylist
        case .part(.piece, _): .piece
        case .part(.original, _): .original
        case .part(.artwork, _): .artwork
        case .radio: .radio
        case .health: .health
        case .metrics: .metrics
        }
    }
}
