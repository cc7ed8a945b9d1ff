package import Media

/// One file, opened, indexed and planned: everything that its segments are made from.
///
/// It never changes, and any number of threads may ask it for segments at once. All calls block.
package final class Presentation: Sendable {
    /// The file as it was when it was opened.
    package let identity: FileIdentity
    /// What is in the file.
    package let source: MediaDescription
    /// Where it is cut.
    package let plan: SegmentPlan

    init(identity: FileIdentity, source: MediaDescription, plan: SegmentPlan) {
        self.identity = identity
        self.source = source
        self.plan = plan
    }

    /// Opens a file, reads its index and plans its segments.
    ///
    /// - Throws: ``PackagingError`` when nothing of it can be served.
    package static func open(path: String, cancellation: Cancellation) throws(PackagingError) -> Presentation {
        let identity = try FileIdentity(ofFileAt: path)
        throw PackagingError(.nothingPlayable, file: identity.path, "nothing in it can be played")
    }

    /// Describes a rendition.
    ///
    /// - Throws: ``PackagingError`` with the reason why the file has no such rendition.
    package func rendition(
        _ rendition: Rendition,
        in container: SegmentContainer
    ) throws(PackagingError) -> RenditionDescription {
        throw PackagingError(.nothingPlayable, file: identity.path, "no \(rendition) rendition")
    }

    /// The container that fits a rendition best.
    package func preferredContainer(for rendition: Rendition) -> SegmentContainer { .fmp4 }

    /// The init segment of a rendition in fragmented MP4; the same bytes on every call.
    ///
    /// - Throws: ``PackagingError`` as ``rendition(_:in:)`` does, or when the file changed.
    package func initSegment(_ rendition: Rendition) throws(PackagingError) -> [UInt8] {
        throw PackagingError(.noSuchSegment, file: identity.path, "no init segment")
    }

    /// The bytes of one segment; they depend on the file and these arguments only.
    ///
    /// - Throws: ``PackagingError``: `.noSuchSegment` outside the plan, `.changed` when the file is another one now.
    package func segment(
        _ number: Int,
        of rendition: Rendition,
        in container: SegmentContainer,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        throw PackagingError(.noSuchSegment, file: identity.path, "no segment \(number)")
    }
}
