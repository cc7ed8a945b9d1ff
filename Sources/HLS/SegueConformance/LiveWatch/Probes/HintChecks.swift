internal import SegueBase
internal import SeguePlaylists

/// Asks now and then for what is hinted at, as players do with each hint.
struct HintChecks: Sendable {
    /// So many reloads lie between two times.
    private static let every = 8

    private var asked: (url: String, uri: String)?
    /// A hint that was refused; whether it was true is known when the next part is listed.
    private var refused: (uri: String, text: String)?

    /// Asks for the first byte of the part that a playlist hints at where it is its time.
    mutating func requests(
        _ playlist: MediaPlaylist,
        _ base: URIReference.Base,
        loads: Int,
        at now: Instant
    ) -> [WatchRequest] {
        guard loads % Self.every == Self.every / 2, asked == nil, refused == nil, !playlist.hasEndList,
            let target = playlist.partTarget?.seconds,
            let hint = playlist.preloadHints.first(where: { $0.kind == .part }),
            // What grows comes when all of it is there.
            hint.byteRangeStart == 0, hint.byteRangeLength == nil,
            !playlist.openParts.contains(where: { $0.byteRange != nil || $0.uri == hint.uri })
        else { return [] }
        let url = base.resolve(hint.uri)
        guard url.hasPrefix("http") else { return [] }
        asked = (url, hint.uri)
        let patience = Duration.seconds(min(3 * target + playlist.target + 5, 600))
        return [WatchRequest(method: .firstByte, url: url, at: now, patience: patience, mayBlock: true)]
    }

    /// Whether a URL is asked for.
    func awaits(_ url: String) -> Bool { asked?.url == url }

    /// Takes an answer.
    mutating func take(_ answer: WatchAnswer, in playlist: MediaPlaylist?) {
        guard let asked else { return }
        self.asked = nil
        guard let target = playlist?.partTarget?.seconds else { return }
        let took = (answer.ended - answer.began).seconds
        // Who has waited long may give up; what has failed otherwise says nothing.
        guard [403, 404, 410].contains(answer.status), took < max(1, 2 * target) else { return }
        refused = (asked.uri, "\(answer.url), hinted at: \(answer.trouble) after \(words(took))")
    }

    /// What the next version makes of a hint that was refused: one that is given up may be.
    mutating func judge(_ playlist: MediaPlaylist) -> [Breach] {
        guard let refused else { return [] }
        let numbers = [playlist.nextSequence - 1, playlist.nextSequence]
        for number in numbers where PartChanges.parts(of: number, playlist).contains(where: { $0.uri == refused.uri }) {
            self.refused = nil
            return [Breach(LiveRules.hintThere, refused.text, segment: number)]
        }
        if !playlist.preloadHints.contains(where: { $0.uri == refused.uri }) { self.refused = nil }
        return []
    }

    /// The playlist begins anew.
    mutating func forget() { (asked, refused) = (nil, nil) }
}
