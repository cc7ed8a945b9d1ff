package import SegueBase
package import SegueConcurrency
package import SegueFFmpeg

/// A file opened for serving, in this process (``Presentation``) or another one.
///
/// It is safe to use from any thread. Throwing calls may block.
package protocol Presenting: Sendable {
    /// The file's identity when it was opened.
    var identity: FileIdentity { get }
    var device: DeviceProfile { get }
    /// The facts found on opening.
    var facts: PresentationFacts { get }

    /// The audio streams that are not served, with reasons, as far as examined.
    var refusedAudio: [Int: PackagingError] { get }

    /// The served audio streams; see ``Presentation/audioTracks(cancellation:)``.
    func audioTracks(cancellation: Cancellation) throws(PackagingError) -> [StreamInfo]

    /// The I-frames; see ``Presentation/keyframes()``.
    func keyframes() throws(PackagingError) -> [(segment: Int, duration: Rational)]

    /// Describes a rendition; see ``Presentation/rendition(_:in:cancellation:)``.
    func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> RenditionDescription

    /// A rendition's extent; see ``Presentation/extent(of:in:cancellation:)``.
    func extent(
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> RenditionExtent

    /// True if making a segment of a rendition encodes something; false for a missing rendition.
    func isEncoded(_ rendition: Rendition, cancellation: Cancellation) -> Bool

    /// The init segment of a rendition; see ``Presentation/initSegment(_:cancellation:)``.
    func initSegment(_ rendition: Rendition, cancellation: Cancellation) throws(PackagingError) -> [UInt8]

    /// The bytes of one segment; see ``Presentation/segment(_:of:in:cancellation:)``.
    func segment(
        _ number: Int,
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8]

    /// The part boundaries; see ``Presentation/parts(target:cancellation:)``.
    func parts(target: Int64, cancellation: Cancellation) throws(PackagingError) -> PartPlan

    /// A segment of the file's subtitles; see ``Presentation/subtitleSegment(_:of:cancellation:)``.
    func subtitleSegment(
        _ number: Int,
        of stream: Int,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8]

    /// A segment of a separate subtitle file; see ``Presentation/subtitleSegment(_:ofFile:cancellation:)``.
    func subtitleSegment(
        _ number: Int,
        ofFile side: FileIdentity,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8]
}

extension Presenting {
    package var source: MediaDescription { facts.source }
    package var plan: SegmentPlan { facts.plan }
    /// The segments that playlists list: all of them, or the final ones of a file that is being written.
    package var listedSegments: ArraySlice<PlannedSegment> {
        identity.isComplete ? plan.segments[...] : plan.segments.prefix(plan.settledCount)
    }
    /// The available containers, in order of preference.
    package var containers: [SegmentContainer] { facts.containers }
    /// The renditions below the source's size; none without video.
    package var ladder: [Rendition] { facts.ladder }
    /// True if the video carries captions; nil if it is not copied.
    package var hasCaptions: Bool? { facts.hasCaptions }

    /// Describes a rendition without a cancellation.
    package func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer
    ) throws(PackagingError) -> RenditionDescription {
        try self.rendition(rendition, in: container, cancellation: Cancellation())
    }

    /// The subtitle streams served as WebVTT: those with text.
    package var subtitles: [StreamInfo] { source.textSubtitles.filter { !facts.emptySubtitles.contains($0.index) } }

    /// The bitmap subtitle streams that can be drawn into the video.
    package var burnableSubtitles: [StreamInfo] {
        // libav decodes only the base layer of Dolby Vision.
        guard facts.film != nil, source.streams.allSatisfy({ $0.dolbyVision?.hasPlainBase != false }) else { return [] }
        return source.streams.filter { $0.isBurnable && !facts.emptySubtitles.contains($0.index) }
    }

    /// The subtitle streams that are not served, with reasons.
    package var refusedSubtitles: [Int: String] {
        var result: [Int: String] = [:]
        for stream in source.streams where stream.kind == .subtitle { result[stream.index] = stream.refusalAsSubtitles }
        for stream in facts.emptySubtitles { result[stream] = "the file declares the subtitles but has no cue of them" }
        return result
    }

    /// The cover art stream that replaces missing video; nil if there is video or no art.
    package var artworkStream: StreamInfo? { facts.artworkStream }

    /// True if there is video or cover art.
    package var hasVideo: Bool { facts.hasFilm || artworkStream != nil }

    /// True if an audio stream is served, as far as examined.
    package func offersAudio(_ number: Int) -> Bool {
        if facts.audio?.stream == number { return true }
        return facts.otherAudio.contains(number) && refusedAudio[number] == nil
    }

    /// The preferred container of a rendition: fragmented MP4, or a transport stream for copied MP3, which browsers
    /// play only there.
    package func preferredContainer(for rendition: Rendition) -> SegmentContainer {
        if containers.count == 1 { return containers[0] }
        guard rendition.audio != .none, facts.audio?.isCopiedMP3 == true else { return .fmp4 }
        let isHEVC = rendition.hasVideo && rendition.burned == nil && facts.film?.isHEVC == true
        return isHEVC ? .fmp4 : .ts
    }

    /// libav's name of a rendition's video encoder; nil if it has none.
    package func videoEncoder(of rendition: Rendition) -> String? {
        guard rendition.hasVideo, facts.film?.isTranscoded == true || rendition.burned != nil else { return nil }
        return VideoEncoderSettings.encoder
    }
}

extension MediaDescription {
    /// The subtitle streams with text.
    var textSubtitles: [StreamInfo] { streams.filter { $0.kind == .subtitle && $0.refusalAsSubtitles == nil } }
}

extension StreamInfo {
    /// libav's names of bitmap subtitles: PGS, VobSub, DVB, and XSUB.
    ///
    /// Its pictures of teletext are whole pages.
    private static let bitmapCodecs: Set = ["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle", "xsub"]

    /// True for bitmap subtitles that libav decodes.
    fileprivate var isBurnable: Bool { kind == .subtitle && canDecode && Self.bitmapCodecs.contains(codec) }

    /// Explains why a subtitle stream is not served; nil if it is.
    fileprivate var refusalAsSubtitles: String? {
        if !isText { return "the subtitles are bitmaps or signals (\(codec)) and cannot be converted to text" }
        return canDecode ? nil : "libav has no decoder for the subtitles (\(codec))"
    }
}
