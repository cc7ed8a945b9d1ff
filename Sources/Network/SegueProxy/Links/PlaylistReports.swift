/// The reports about playlists that have been made for a link.
struct PlaylistReports {
    /// The maximum number of reported servers.
    private static let most = 64

    /// The reported servers that no link reaches.
    private var bypassed: Set<Endpoint> = []
    private var wasUnknownReported = false

    /// Returns whether a playlist with an unsupported coding has not been reported; only one is.
    mutating func isFirstUnknown() -> Bool {
        defer { wasUnknownReported = true }
        return !wasUnknownReported
    }

    /// Returns whether a server that no link reaches has not been reported; only some dozens are.
    mutating func isNew(bypassed server: Endpoint) -> Bool {
        bypassed.count < Self.most && bypassed.insert(server).inserted
    }
}
