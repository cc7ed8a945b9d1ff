internal import SeguePlaylists

/// A media playlist with what it leads to.
package struct MediaSubject: Sendable {
    /// The playlist as it came.
    package var document: PlaylistDocument

    /// The segments that were looked into, in order; not all where fewer were wanted.
    package var segments: [SegmentFacts]

    /// The initialization sections that were looked into.
    package var initializations: [InitializationFacts]

    /// What HTTP said of segments and initialization sections.
    package var resources: [HTTPFacts]

    /// What was found of encrypted segments and initialization sections.
    package var sealed: [SealedFacts] = []

    /// What decoding its segments showed; nil where nobody decoded them.
    package var decoded: DecodedFacts?

    /// Whether it is to have no picture: what led here says so.
    package var isSoundAlone: Bool

    /// A media playlist with what it leads to.
    package init(
        document: PlaylistDocument,
        segments: [SegmentFacts] = [],
        initializations: [InitializationFacts] = [],
        resources: [HTTPFacts] = [],
        isSoundAlone: Bool = false
    ) {
        (self.document, self.segments, self.initializations) = (document, segments, initializations)
        (self.resources, self.isSoundAlone) = (resources, isSoundAlone)
    }

    /// The playlist that was parsed; of none, one without segments.
    var playlist: MediaPlaylist { document.media ?? MediaPlaylist(segments: []) }

    /// All that HTTP said, the playlist's part first.
    var answers: [HTTPFacts] { (document.http.map { [$0] } ?? []) + resources }

    /// Whether the initialization of a segment may be named in what a delta update leaves out.
    func mayHaveSkippedMap(_ segment: SegmentFacts) -> Bool { segment.number < playlist.skip?.inherited.map ?? 0 }

    /// Whether the keys of a segment may be.
    func mayHaveSkippedKeys(_ segment: SegmentFacts) -> Bool { segment.number < playlist.skip?.inherited.keys ?? 0 }

    func place(_ segment: SegmentFacts) -> Place { document.place(ofSegment: segment.number) }

    /// Each segment with its entry in the playlist.
    var entries: [(facts: SegmentFacts, entry: MediaSegment)] {
        let entries = playlist.segments
        return segments.compactMap { $0.number < entries.count ? ($0, entries[$0.number]) : nil }
    }

    /// Each two that can be read and follow one another.
    var consecutive: [(former: SegmentFacts, next: SegmentFacts)] {
        let count = playlist.segments.count
        return zip(segments, segments.dropFirst()).filter { former, next in
            next.number == former.number + 1 && next.number < count && former.failure == nil && next.failure == nil
        }
    }

    /// Each two neighbours of which the second has to go on where the first ends.
    var neighbours: [(former: SegmentFacts, next: SegmentFacts)] {
        guard !playlist.isIFramesOnly else { return [] }
        let entries = playlist.segments
        return consecutive.filter { !entries[$0.next.number].startsDiscontinuity }
    }
}

/// A multivariant playlist with the media playlists that it names.
package struct MultivariantSubject: Sendable {
    /// The playlist as it came.
    package var document: PlaylistDocument

    /// The media playlists by their URI as written, in the order of the playlist.
    package var media: [(uri: String, subject: MediaSubject)]

    /// The playlists of I-frames by their URI as written.
    package var iFrames: [(uri: String, subject: MediaSubject)]

    /// What its steering server says; nil where it names none, or that was not asked for.
    package var steering: SteeringFacts?

    /// A multivariant playlist with what it names.
    package init(
        document: PlaylistDocument,
        media: [(uri: String, subject: MediaSubject)] = [],
        iFrames: [(uri: String, subject: MediaSubject)] = []
    ) {
        (self.document, self.media, self.iFrames) = (document, media, iFrames)
    }

    var playlist: MultivariantPlaylist { document.multivariant ?? MultivariantPlaylist(variants: []) }

    func subject(_ uri: String?) -> MediaSubject? { uri.flatMap { uri in media.first { $0.uri == uri }?.subject } }

    /// The URIs of subtitles as written.
    var subtitleURIs: Set<String> {
        Set(playlist.renditions.filter { $0.kind == .subtitles }.compactMap(\.uri))
    }

    /// The line of a variant's tag.
    func place(ofVariant number: Int) -> Place {
        let lines = document.tags("#EXT-X-STREAM-INF")
        return document.place(line: number < lines.count ? lines[number].number : nil)
    }
}
