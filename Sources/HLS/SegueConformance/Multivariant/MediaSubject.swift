internal import SegueBase
internal import SeguePlaylists

/// A media playlist with the resources that it names.
package struct MediaSubject: Sendable {
    package var document: PlaylistDocument

    /// The inspected segments in order; a subset if the user limits them.
    package var segments: [SegmentFacts]

    /// The inspected initialization sections.
    package var initializations: [InitializationFacts]

    /// The HTTP responses for segments and initialization sections.
    package var resources: [HTTPFacts]

    /// The facts of encrypted segments and initialization sections.
    package var sealed: [SealedFacts] = []

    /// The result of decoding; nil without a decoder.
    package var decoded: DecodedFacts?

    /// True if the playlist must contain no video, by the multivariant playlist or the URL.
    package var isAudioOnly: Bool

    /// The earliest timestamp of the presentation; nil without a multivariant playlist.
    var presentationStart: Rational?

    package init(
        document: PlaylistDocument,
        segments: [SegmentFacts] = [],
        initializations: [InitializationFacts] = [],
        resources: [HTTPFacts] = [],
        isAudioOnly: Bool = false
    ) {
        (self.document, self.segments, self.initializations) = (document, segments, initializations)
        (self.resources, self.isAudioOnly) = (resources, isAudioOnly)
    }

    /// The parsed playlist; one without segments if parsing failed.
    var playlist: MediaPlaylist { document.media ?? MediaPlaylist(segments: []) }

    /// All HTTP responses, that for the playlist first.
    var responses: [HTTPFacts] { (document.http.map { [$0] } ?? []) + resources }

    /// Returns true if the skipped part of a delta update may name the initialization section of a segment.
    func mayHaveSkippedMap(_ segment: SegmentFacts) -> Bool { segment.number < playlist.skip?.inherited.map ?? 0 }

    /// Returns true if the skipped part of a delta update may name the keys of a segment.
    func mayHaveSkippedKeys(_ segment: SegmentFacts) -> Bool { segment.number < playlist.skip?.inherited.keys ?? 0 }

    func place(_ segment: SegmentFacts) -> Place { document.place(ofSegment: segment.number) }

    /// Each segment with its entry in the playlist.
    var entries: [(facts: SegmentFacts, entry: MediaSegment)] {
        let entries = playlist.segments
        return segments.compactMap { $0.number < entries.count ? ($0, entries[$0.number]) : nil }
    }

    /// The pairs of consecutive segments that can be read.
    var consecutive: [(former: SegmentFacts, next: SegmentFacts)] {
        let count = playlist.segments.count
        return zip(segments, segments.dropFirst()).filter { former, next in
            next.number == former.number + 1 && next.number < count && former.failure == nil && next.failure == nil
        }
    }

    /// The pairs of consecutive segments without a discontinuity between them.
    var neighbours: [(former: SegmentFacts, next: SegmentFacts)] {
        guard !playlist.isIFramesOnly else { return [] }
        let entries = playlist.segments
        return consecutive.filter { !entries[$0.next.number].startsDiscontinuity }
    }
}

/// A multivariant playlist with its media playlists.
package struct MultivariantSubject: Sendable {
    package var document: PlaylistDocument

    /// The media playlists with their URIs as written, in the order of the playlist.
    package var media: [(uri: String, subject: MediaSubject)]

    /// The I-frame playlists with their URIs as written.
    package var iFrames: [(uri: String, subject: MediaSubject)]

    /// The response of the steering server; nil if the playlist names none or the validation did not request it.
    package var steering: SteeringFacts?

    package init(
        document: PlaylistDocument,
        media: [(uri: String, subject: MediaSubject)] = [],
        iFrames: [(uri: String, subject: MediaSubject)] = []
    ) {
        (self.document, self.media, self.iFrames) = (document, media, iFrames)
    }

    /// The media playlists and those of I-frames, each with the start of the presentation.
    var children: [MediaSubject] {
        let start = media.lazy.compactMap { $0.subject.segments.first { $0.number == 0 }?.mainTrack?.start }.min()
        return (media + iFrames).map { entry in
            var subject = entry.subject
            subject.presentationStart = start
            return subject
        }
    }

    var playlist: MultivariantPlaylist { document.multivariant ?? MultivariantPlaylist(variants: []) }

    func subject(_ uri: String?) -> MediaSubject? { uri.flatMap { uri in media.first { $0.uri == uri }?.subject } }

    /// The URIs of subtitle renditions as written.
    var subtitleURIs: Set<String> {
        Set(playlist.renditions.filter { $0.kind == .subtitles }.compactMap(\.uri))
    }

    /// The place of a variant's tag.
    func place(ofVariant number: Int) -> Place {
        let lines = document.tags("#EXT-X-STREAM-INF")
        return document.place(line: number < lines.count ? lines[number].number : nil)
    }
}
