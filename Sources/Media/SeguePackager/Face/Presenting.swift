package import SegueBase
package import SegueConcurrency
package import SegueFFmpeg

/// A file that is opened to be served, wherever that was done: by this process (``Presentation``) or by another.
///
/// Any number of threads may ask at once. What may throw may block.
package protocol Presenting: Sendable {
    /// The file as it was when it was opened.
    var identity: FileIdentity { get }
    /// Whom it is for.
    var device: DeviceProfile { get }
    /// What opening it showed.
    var facts: PresentationFacts { get }

    /// The streams of audio that are not served, and why, as far as they have been looked into.
    var refusedSounds: [Int: PackagingError] { get }

    /// The streams of audio that are served; see ``Presentation/sounds(cancellation:)``.
    func sounds(cancellation: Cancellation) throws(PackagingError) -> [StreamInfo]

    /// The frames for searching; see ``Presentation/keyframes()``.
    func keyframes() throws(PackagingError) -> [(segment: Int, duration: Rational)]

    /// Describes a rendition; see ``Presentation/rendition(_:in:cancellation:)``.
    func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> RenditionDescription

    /// How much of the plan a rendition fills; see ``Presentation/extent(of:in:cancellation:)``.
    func extent(
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> RenditionExtent

    /// True if making a segment of a rendition means to encode something; false also where there is no such rendition.
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

    /// Where the segments may be cut into parts; see ``Presentation/parts(target:cancellation:)``.
    func parts(target: Int64, cancellation: Cancellation) throws(PackagingError) -> PartPlan

    /// A segment of the file's subtitles; see ``Presentation/subtitleSegment(_:of:cancellation:)``.
    func subtitleSegment(
        _ number: Int,
        of stream: Int,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8]

    /// A segment of subtitles beside the file; see ``Presentation/subtitleSegment(_:ofFile:cancellation:)``.
    func subtitleSegment(
        _ number: Int,
        ofFile side: FileIdentity,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8]
}

extension Presenting {
    /// What is in the file.
    package var source: MediaDescription { facts.source }
    /// Where it is cut.
    package var plan: SegmentPlan { facts.plan }
    /// The containers that segments can be asked for in, the preferred one first.
    package var containers: [SegmentContainer] { facts.containers }
    /// The renditions below the item's own size; none where there is no film.
    package var ladder: [Rendition] { facts.ladder }
    /// True if the film's frames carry captions; nil where they are not delivered as they are.
    package var hasCaptions: Bool? { facts.hasCaptions }

    /// Describes a rendition, however long that takes.
    package func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer
    ) throws(PackagingError) -> RenditionDescription {
        try self.rendition(rendition, in: container, cancellation: Cancellation())
    }

    /// The streams of subtitles that are served, as WebVTT: those that are text.
    package var subtitles: [StreamInfo] {
        source.streams.filter { $0.kind == .subtitle && $0.refusalAsSubtitles == nil }
    }

    /// The streams of subtitles that are not served, and why.
    package var refusedSubtitles: [Int: String] {
        var result: [Int: String] = [:]
        for stream in source.streams where stream.kind == .subtitle { result[stream.index] = stream.refusalAsSubtitles }
        return result
    }

    /// The stream of the cover art that stands for a film where there is none; nil where there is a film, or no art.
    package var artworkStream: StreamInfo? { facts.artworkStream }

    /// True if there are frames in what it is presented by: those of a film, or cover art.
    package var hasPicture: Bool { facts.hasFilm || artworkStream != nil }

    /// True if a stream of audio is served, as far as has been looked into.
    package func offersSound(_ number: Int) -> Bool {
        if facts.sound?.stream == number { return true }
        return facts.otherSounds.contains(number) && refusedSounds[number] == nil
    }

    /// The container that fits a rendition best: fragmented MP4, but for copied MP3, which browsers play in transport
    /// streams only.
    package func preferredContainer(for rendition: Rendition) -> SegmentContainer {
        if containers.count == 1 { return containers[0] }
        guard rendition.sound != .none, facts.sound?.isCopiedMP3 == true else { return .fmp4 }
        return rendition.hasPicture && facts.film?.isHEVC == true ? .fmp4 : .ts
    }

    /// libav's name of what encodes the frames of a rendition; nil where none are, or they are copied.
    package func pictureEncoder(of rendition: Rendition) -> String? {
        guard rendition.hasPicture, facts.film?.isTranscoded == true else { return nil }
        return VideoEncoderSettings.encoder
    }
}

extension StreamInfo {
    /// Why a stream of subtitles is not served; nil where it is.
    fileprivate var refusalAsSubtitles: String? {
        if !isText { return "its subtitles are pictures or signals (\(codec)), of which no text can be made" }
        return canDecode ? nil : "libav has no decoder for its subtitles (\(codec))"
    }
}
