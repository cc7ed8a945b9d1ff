internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

/// An opened, indexed, and planned file: the source of its segments.
///
/// It is immutable and safe to use from any thread. All calls block.
package final class Presentation: Presenting {
    /// The file's identity when it was opened.
    package let identity: FileIdentity
    /// The facts found on opening.
    package let facts: PresentationFacts
    /// The source and cost of the index.
    package let indexing: IndexingReport

    let recipient: Recipient
    let tracks: FileTracks
    let pool: InputPool
    private let coded: CodedTracks
    private let measurements: TrackMeasurements
    private let subtitleSegments: SubtitleSegments
    /// Serializes making a video from cover art.
    let drawing = Mutex(())
    let artwork = Mutex<Result<StillImage, PackagingError>?>(nil)
    let films = Mutex<[FilmVersion: Result<CutVideo, PackagingError>]>([:])
    let otherAudio = Mutex<[Int: Result<CutAudio, PackagingError>]>([:])

    /// The caches that an opened file uses.
    package struct Caching: Sendable {
        let index: (any IndexKeeping)?
        let codedBytes: Int
        let scans: GrowingScans?

        /// Creates the settings.
        ///
        /// - Parameters:
        ///   - index: The store for the file's index and measurements; nil stores nothing.
        ///   - codedBytes: The byte limit for cached transcoded audio, and again for video.
        ///   - scans: The places from which files that grow are read on; nil reads them from the beginning.
        package init(index: (any IndexKeeping)? = nil, codedBytes: Int = 0, scans: GrowingScans? = nil) {
            self.index = index
            self.codedBytes = codedBytes
            self.scans = scans
        }
    }

    private init(identity: FileIdentity, opened: Opening.Result, pool: InputPool, coded: CodedTracks) {
        self.identity = identity
        facts = PresentationFacts(opened)
        recipient = opened.recipient
        indexing = opened.indexing
        tracks = opened.tracks
        self.pool = pool
        self.coded = coded
        measurements = TrackMeasurements(identity: identity, plan: facts.plan, pool: pool, coded: coded)
        let streams = facts.source.textSubtitles
        subtitleSegments = SubtitleSegments(identity: identity, plan: facts.plan, streams: streams)
    }

    /// Opens a file, reads its index, and plans its segments.
    ///
    /// - Parameters:
    ///   - device: The target device; unsupported streams are transcoded.
    ///   - container: The segment container; nil selects the one that allows the most copying. For
    ///     ``DeviceProfile/any`` it has no effect, and both can be requested.
    ///   - limits: The limits for transcoded video; nil uses the device's.
    ///   - growth: The identity of a file that grows, or has grown; nil for any other file.
    ///   - caching: The caches for the index and for transcoded frames.
    /// - Returns: The presentation.
    /// - Throws: ``PackagingError`` if nothing in the file can be served.
    package static func open(
        path: String,
        growth: FileIdentity? = nil,
        for device: DeviceProfile = .any,
        in container: SegmentContainer? = nil,
        limits: VideoLimits? = nil,
        caching: Caching = Caching(),
        cancellation: Cancellation
    ) throws(PackagingError) -> Presentation {
        var identity = try FileIdentity(ofFileAt: path)
        if let growth, let tag = growth.growsFrom {
            identity = identity.growing(from: tag, isComplete: growth.isComplete)
        }
        guard identity.size > 0 else { throw PackagingError(.notMedia, file: path, "the file is empty") }
        let pool = InputPool(path: path, findings: KeptFindings(of: identity, by: growth == nil ? caching.index : nil))
        do {
            let opened = try Opening(
                path: path,
                cancellation: cancellation,
                pool: pool,
                device: device,
                container: container,
                limits: limits,
                isGrowing: growth != nil,
                scans: caching.scans.flatMap { FileScans($0, of: identity) }
            ).run()
            guard try identity.isCurrent() else {
                throw PackagingError(.changed, file: path, "the file changed while it was being opened")
            }
            return Presentation(
                identity: identity,
                opened: opened,
                pool: pool,
                coded: CodedTracks(limit: caching.codedBytes)
            )
        } catch {
            throw PackagingError.wrapping(error, file: path)
        }
    }

    /// Describes a rendition; throws ``PackagingError`` if the file does not have it.
    ///
    /// The call may examine a track for the first time.
    package func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation = Cancellation()
    ) throws(PackagingError) -> RenditionDescription {
        let contents = try self.contents(of: rendition, in: container, cancellation: cancellation)
        return Describer(contents: contents, measured: try measurements.sizes(of: contents, cancellation))
            .describe(rendition, in: container)
    }

    /// Returns a rendition's extent without encoding anything; throws ``PackagingError`` if the file does not have the
    /// rendition.
    package func extent(
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation = Cancellation()
    ) throws(PackagingError) -> RenditionExtent {
        let contents = try self.contents(of: rendition, in: container, cancellation: cancellation)
        return Describer(contents: contents, measured: MeasuredSizes()).extent
    }

    /// True if making a segment of a rendition encodes something; false for a missing rendition.
    package func isEncoded(_ rendition: Rendition, cancellation: Cancellation) -> Bool {
        guard let contents = try? contents(of: rendition, in: .fmp4, cancellation: cancellation) else { return false }
        if contents.video?.track.transcoded != nil { return true }
        guard case .transcoded = contents.audio?.track.source else { return false }
        return true
    }

    /// Returns the init segment of a rendition in fragmented MP4, with the same bytes on every call.
    package func initSegment(
        _ rendition: Rendition,
        cancellation: Cancellation = Cancellation()
    ) throws(PackagingError) -> [UInt8] {
        try checkIdentity()
        let contents = try self.contents(of: rendition, in: .fmp4, cancellation: cancellation)
        do {
            return try InitWriter.segment(contents.initTracks(), file: identity.path)
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
    }

    /// Returns one segment; the bytes depend only on the file and the arguments.
    ///
    /// Throws ``PackagingError`` with `.noSuchSegment` outside the plan and `.changed` if the file changed.
    package func segment(
        _ number: Int,
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        let contents = try self.contents(of: rendition, in: container, cancellation: cancellation)
        return try identity.cut(number, of: plan) {
            try SegmentBuilder(
                file: identity.path,
                contents: contents,
                rates: try contents.video.flatMap { film in
                    try film.track.transcoded.map { transcoded in
                        try measurements.rates(
                            of: film,
                            transcoded: transcoded,
                            index: contents.index,
                            isForMaking: true,
                            cancellation: cancellation
                        )
                    }
                },
                pool: pool,
                coded: coded,
                cancellation: cancellation
            ).segment(number, in: container)
        }
    }

    /// Returns a segment of a subtitle stream as WebVTT; the bytes depend only on the file and the arguments.
    ///
    /// The first call reads and caches the file's subtitles. Throws ``PackagingError`` with `.noSuchSegment` outside
    /// the plan or for a stream not in ``subtitles``, and `.changed` if the file changed.
    package func subtitleSegment(
        _ number: Int,
        of stream: Int,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        try subtitleSegments.segment(number, of: stream, cancellation)
    }

    /// Returns a segment of a subtitle file as WebVTT; throws ``PackagingError`` with `.noSuchSegment` outside the plan
    /// and `.notMedia` without text subtitles.
    package func subtitleSegment(
        _ number: Int,
        ofFile side: FileIdentity,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        try subtitleSegments.segment(number, ofFile: side, cancellation)
    }
}

extension FileIdentity {
    /// Makes a segment and checks that the file is unchanged.
    func cut(_ number: Int, of plan: SegmentPlan, _ make: () throws -> [UInt8]) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number) else {
            throw PackagingError(
                .noSuchSegment,
                file: path,
                "the file has \(plan.segments.count) segments, numbered from 0, and no segment \(number)"
            )
        }
        try check()
        do {
            return try make()
        } catch {
            // A file that changes during reading fails in many ways.
            try check()
            throw PackagingError.wrapping(error, file: path)
        }
    }

    /// Throws `.changed` if the file is no longer the opened one.
    func check() throws(PackagingError) {
        guard try isCurrent() else {
            throw PackagingError(.changed, file: path, "the file changed since it was opened")
        }
    }
}
