internal import SegueBase
internal import SeguePlaylists

/// Parses the responses for one playlist and applies delta updates.
struct VersionReader: Sendable {
    /// A whole playlist.
    struct Version {
        let playlist: MediaPlaylist
        /// The number of segments that a delta update skipped; nil for a whole playlist.
        let skipped: Int?
    }

    private let source: WatchedPlaylist
    /// The fingerprint of the last whole playlist; nil after a delta update.
    private var fingerprint: Fingerprint?

    init(_ source: WatchedPlaylist) { self.source = source }

    /// True if the last response was a whole playlist.
    var isWhole: Bool { fingerprint != nil }

    /// Forgets the last response, so that the same bytes are parsed again.
    mutating func forget() { fingerprint = nil }

    /// Returns the whole playlist of a response.
    mutating func read(_ response: WatchResponse, after state: PlaylistState?) -> Result<Version, Breach> {
        let fingerprint = Fingerprint.of(response.bytes)
        if let state, self.fingerprint == fingerprint {
            return .success(Version(playlist: state.playlist, skipped: nil))
        }
        return parse(response).flatMap { playlist in
            self.fingerprint = playlist.skip == nil ? fingerprint : nil
            guard let skip = playlist.skip else { return .success(Version(playlist: playlist, skipped: nil)) }
            guard let state else {
                return .failure(Breach(LowLatencyRules.delta, "the first response is a delta update"))
            }
            do throws(DeltaUpdateError) {
                var whole = try playlist.applied(to: state.playlist)
                // A delta update may need a higher version than the whole playlist.
                whole.declaredVersion = state.playlist.declaredVersion
                return .success(Version(playlist: whole, skipped: skip.segments))
            } catch {
                return .failure(Breach(LowLatencyRules.delta, error.message))
            }
        }
    }

    func parse(_ response: WatchResponse) -> Result<MediaPlaylist, Breach> {
        do throws(PlaylistError) {
            let playlist = try Playlist.parse(
                response.bytes,
                from: response.finalURL,
                importing: source.imports,
                limits: PlaylistLimits(bytes: source.options.mostBytes)
            )
            guard case .media(let media) = playlist else {
                return .failure(Breach(LiveRules.readable, "the URL now returns a multivariant playlist"))
            }
            return .success(media)
        } catch {
            return .failure(Breach(LiveRules.readable, error.finding))
        }
    }
}

extension PlaylistError {
    /// The reason with its line.
    var finding: Message { line.map { "line \($0): \(message)" } ?? Message(words: message) }
}
