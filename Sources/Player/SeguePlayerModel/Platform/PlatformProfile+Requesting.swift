internal import SegueData

extension PlatformProfile {
    /// How many requests are made, and on which connections.
    package struct Requesting: Sendable, Equatable {
        /// How often the item's own URL is asked for before anything else is.
        package let entryRequests: Int
        /// Which requests share connections.
        package let connections: Connections
        /// Whether the segment behind the one that loads is asked for beside it, and not read until its turn comes.
        package let prefetch: Bool
        /// Whether none of the item's media are read from when that request is made until its answer has begun.
        package let prefetchHolds: Bool
    }

    /// Which requests share connections.
    package enum Connections: String, Sendable, CaseIterable {
        /// Any request takes a connection that is idle.
        case shared
        /// Each request for the item's URL, the playlists, and of each rendition the initialization sections and the
        /// segments have connections of their own.
        case apart
        /// Any request takes one that is idle, but those for the item's URL have their own, as has the playlist of pictures
        /// that waited for sound, which is still being read; and one on which an initialization section came serves no
        /// other request.
        case keptByInitializations = "kept-by-initializations"
    }
}

extension PlatformProfile.Requesting {
    static let keys = ["entry-requests", "connections", "prefetch", "prefetch-holds"]

    init(_ section: inout SourcedFields) throws(HarnessError) {
        entryRequests = try section.integer("entry-requests", in: 1...2)
        connections = try section.word("connections")
        prefetch = try section.flag("prefetch")
        prefetchHolds = try section.flag("prefetch-holds")
    }
}
