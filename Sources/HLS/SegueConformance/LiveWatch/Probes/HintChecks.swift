internal import SegueBase
internal import SeguePlaylists

/// Requests hinted parts now and then, as players do for each hint.
struct HintChecks: Sendable {
    /// The number of reloads between two requests.
    private static let interval = 8

    private var asked: (url: String, uri: String)?
    /// A refused hint, until the next part shows if the hint was right.
    private var refused: (uri: String, text: Message)?

    /// Returns a request for the first byte of the hinted part if it is due.
    mutating func requests(
        _ playlist: MediaPlaylist,
        _ base: URIReference.Base,
        loads: Int,
        at now: Instant
    ) -> [WatchRequest] {
        guard loads % Self.interval == Self.interval / 2, asked == nil, refused == nil, !playlist.hasEndList,
            let target = playlist.partTarget?.seconds,
            let hint = playlist.preloadHints.first(where: { $0.kind == .part }),
            // A growing resource is returned when it is complete.
            hint.byteRangeStart == 0, hint.byteRangeLength == nil,
            !playlist.openParts.contains(where: { $0.byteRange != nil || $0.uri == hint.uri })
        else { return [] }
        let url = base.resolve(hint.uri)
        guard url.hasPrefix("http") else { return [] }
        asked = (url, hint.uri)
        let patience = Duration.seconds(min(3 * target + playlist.target + 5, 600))
        return [WatchRequest(method: .firstByte, url: url, at: now, patience: patience, mayBlock: true)]
    }

    /// Returns true if a request for a URL is open.
    func awaits(_ url: String) -> Bool { asked?.url == url }

    /// Handles a response.
    mutating func take(_ response: WatchResponse, in playlist: MediaPlaylist?) {
        guard let asked else { return }
        self.asked = nil
        guard let target = playlist?.partTarget?.seconds else { return }
        let took = (response.ended - response.began).seconds
        // A server may give up after a long time, and other failures are not conclusive.
        guard [403, 404, 410].contains(response.status), took < max(1, 2 * target) else { return }
        refused = (
            asked.uri, "the hinted \(value: response.url): \(response.trouble) after \(DisplayText.seconds(took))"
        )
    }

    /// Reports a refused hint if the next version lists the part.
    mutating func judge(_ playlist: MediaPlaylist) -> [Breach] {
        guard let refused else { return [] }
        let numbers = [playlist.nextSequence - 1, playlist.nextSequence]
        for number in numbers where PartChanges.parts(of: number, playlist).contains(where: { $0.uri == refused.uri }) {
            self.refused = nil
            return [Breach(LowLatencyRules.hintThere, refused.text, segment: number)]
        }
        if !playlist.preloadHints.contains(where: { $0.uri == refused.uri }) { self.refused = nil }
        return []
    }

    mutating func forget() { (asked, refused) = (nil, nil) }
}
