/// The client behind a request, as far as authentication identified it.
package struct Visitor: Sendable, Hashable {
    /// An identifier that is the same on all devices of a person; empty on an open server.
    package var identity: String

    /// The name for display; empty if it is unknown.
    package var name: String

    /// The paths of the folders that the visitor may see; nil for all.
    package var folders: [String]?

    /// The routes that the visitor may use.
    package var scope = Scope.everything

    /// A set of routes.
    package enum Scope: Sendable, Hashable {
        case everything
        /// The routes that televisions need: the media server, playlists, segments, files, and art.
        case televisions
    }

    /// A television in the house.
    package static let television: Visitor = {
        var visitor = Visitor(identity: "televisions")
        visitor.scope = .televisions
        return visitor
    }()

    package init(identity: String = "", name: String = "", folders: [String]? = nil) {
        self.identity = identity
        self.name = name
        self.folders = folders
    }
}
