internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

/// One file, opened, indexed and planned: everything that its segments are made from.
///
/// It never changes, and any number of threads may ask it for segments at once. All calls block.
package final class Presentation: Presenting {
    /// The file as it was when it was opened.
    package let identity: FileIdentity
    /// What opening it showed.
    package let facts: PresentationFacts
    /// How its packets became known.
    package let indexing: IndexingReport

    let recipient: Recipient
    let tracks: FileTracks
    let pool: InputPool
    let coded: CodedTracks
    let measured = Mutex(MeasuredTracks())
    /// Held while pictures are measured.
    let measuring = Mutex(())
    let readCues = Mutex<[Int: [Cue]]?>(nil)
    let sideCues = Mutex<[FileIdentity: [Cue]]>([:])
    /// Held while cover art is made into a film.
    let drawing = Mutex(())
    let artwork = Mutex<Result<StillPicture, PackagingError>?>(nil)
    let rungs = Mutex<[Int: Result<CutPictures, PackagingError>]>([:])
    let otherSounds = Mutex<[Int: Result<CutSound, PackagingError>]>([:])

    private init(identity: FileIdentity, opened: Opening.Result, pool: InputPool, coded: CodedTracks) {
        self.identity = identity
        facts = PresentationFacts(opened)
        recipient = opened.recipient
        indexing = opened.indexing
        tracks = opened.tracks
        self.pool = pool
        self.coded = coded
    }

    /// Opens a file, reads its index and plans its segments.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - device: Whom it is for; what that cannot take is coded anew.
    ///   - container: The container that segments will be asked for in; nil for the one in which most is copied. For
    ///     ``DeviceProfile/any`` it makes no difference, and both can be asked for.
    ///   - limits: What pictures may be at most where they are coded anew; nil for what the device takes.
    ///   - keeper: Keeps what reading the file shows; nil for nobody.
    ///   - keptCoding: How many bytes of what is coded anew are kept for whoever wants the same: of sound, and as many of
    ///     pictures.
    ///   - cancellation: Stops the reading.
    /// - Returns: The file, ready to be asked for segments.
    /// - Throws: ``PackagingError`` when nothing of it can be served.
    package static func open(
        path: String,
        for device: DeviceProfile = .any,
        in container: SegmentContainer? = nil,
        limits: PictureLimits? = nil,
        keeper: (any IndexKeeping)? = nil,
        keptCoding: Int = 0,
        cancellation: Cancellation
    ) throws(PackagingError) -> Presentation {
        let identity = try FileIdentity(ofFileAt: path)
        guard identity.size > 0 else { throw PackagingError(.notMedia, file: path, "it is empty") }
        let pool = InputPool(path: path, findings: KeptFindings(of: identity, by: keeper))
        do {
            let opened = try Opening(
                path: path,
                cancellation: cancellation,
                pool: pool,
                device: device,
                container: container,
                limits: limits
            ).run()
            guard try FileIdentity(ofFileAt: path) == identity else {
                throw PackagingError(.changed, file: path, "the file changed while it was opened")
            }
            return Presentation(
                identity: identity,
                opened: opened,
                pool: pool,
                coded: CodedTracks(limit: keptCoding)
            )
        } catch {
            throw PackagingError.wrapping(error, file: path)
        }
    }

    /// Describes a rendition.
    ///
    /// - Parameters:
    ///   - rendition: Which rendition.
    ///   - container: How its segments are packed.
    ///   - cancellation: Stops the work, for a track that is looked into now.
    /// - Returns: What its segments hold.
    /// - Throws: ``PackagingError`` with the reason why the file has no such rendition.
    package func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation = Cancellation()
    ) throws(PackagingError) -> RenditionDescription {
        let contents = try self.contents(of: rendition, in: container, cancellation: cancellation)
        return Describer(contents: contents, measured: try measure(contents, cancellation))
            .describe(rendition, in: container)
    }

    /// How many segments a rendition has; unlike ``rendition(_:in:cancellation:)`` this encodes nothing.
    ///
    /// - Parameters:
    ///   - rendition: Which rendition.
    ///   - container: How its segments are packed.
    ///   - cancellation: Stops the work, for a track that is looked into now.
    /// - Returns: What a media playlist says of all its segments.
    /// - Throws: ``PackagingError`` with the reason why the file has no such rendition.
    package func extent(
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation = Cancellation()
    ) throws(PackagingError) -> RenditionExtent {
        let contents = try self.contents(of: rendition, in: container, cancellation: cancellation)
        return Describer(contents: contents, measured: MeasuredSizes()).extent
    }

    /// Whether making a segment of a rendition means to encode something.
    ///
    /// - Parameters:
    ///   - rendition: Which rendition.
    ///   - cancellation: Stops the looking into a track that nobody has asked for yet.
    /// - Returns: Whether it does; false also where there is no such rendition.
    package func isEncoded(_ rendition: Rendition, cancellation: Cancellation) -> Bool {
        guard let contents = try? contents(of: rendition, in: .fmp4, cancellation: cancellation) else { return false }
        if contents.video?.track.transcoded != nil { return true }
        guard case .transcoded = contents.audio?.track.source else { return false }
        return true
    }

    /// The init segment of a rendition in fragmented MP4; the same bytes on every call.
    ///
    /// - Parameters:
    ///   - rendition: Which rendition.
    ///   - cancellation: Stops the work, for a track that is looked into now.
    /// - Returns: The init segment's bytes.
    /// - Throws: ``PackagingError`` as ``rendition(_:in:cancellation:)`` does, or when the file changed.
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

    /// The bytes of one segment; they depend on the file and these arguments only.
    ///
    /// - Parameters:
    ///   - number: Its number in the plan, from 0.
    ///   - rendition: Which rendition.
    ///   - container: How it is packed.
    ///   - cancellation: Stops the work.
    /// - Returns: The segment's bytes.
    /// - Throws: ``PackagingError``: `.noSuchSegment` outside the plan, `.changed` when the file is another one now.
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
                    try film.track.transcoded.map { pictures in
                        try measure(film, pictures, contents.index, isForMaking: true, cancellation)
                    }
                },
                pool: pool,
                coded: coded,
                cancellation: cancellation
            ).segment(number, in: container)
        }
    }
}

extension FileIdentity {
    /// Cuts a segment out of the file while it is the one that was opened.
    ///
    /// - Parameters:
    ///   - number: The segment's number.
    ///   - plan: Where the file is cut.
    ///   - make: Makes the segment's bytes.
    /// - Returns: The segment's bytes.
    /// - Throws: ``PackagingError``: `.noSuchSegment` outside the plan, `.changed` when the file is another one now.
    func cut(_ number: Int, of plan: SegmentPlan, _ make: () throws -> [UInt8]) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number) else {
            throw PackagingError(
                .noSuchSegment,
                file: path,
                "it has \(plan.segments.count) segments, and no number \(number)"
            )
        }
        try check()
        do {
            return try make()
        } catch {
            // A file that changes while it is read fails in all kinds of ways.
            try check()
            throw PackagingError.wrapping(error, file: path)
        }
    }

    /// Makes sure that the file is still this one.
    ///
    /// - Throws: ``PackagingError`` with `.changed` where it is another one now, or why it cannot be looked at.
    func check() throws(PackagingError) {
        guard try FileIdentity(ofFileAt: path) == self else {
            throw PackagingError(.changed, file: path, "the file changed since it was opened")
        }
    }
}
