/// Who asks, as far as the server that let them in has found out.
package struct Visitor: Sendable, Hashable {
    /// What stays the same for one who comes again, on whatever device; empty where a server is open to everybody.
    package var identity: String

    /// What a page may call them; empty where nothing is known.
    package var name: String

    /// The folders that they may see, as paths in the library; nil for all of it.
    package var folders: [String]?

    /// Somebody; anybody unless told otherwise.
    package init(identity: String = "", name: String = "", folders: [String]? = nil) {
        self.identity = identity
        self.name = name
        self.folders = folders
    }
}
