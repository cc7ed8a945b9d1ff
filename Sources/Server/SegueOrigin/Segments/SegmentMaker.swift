import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// A maker of the pieces of renditions, with a cache.
struct SegmentMaker: Sendable {
    let presentations: PresentationStore
    let store: SegmentStore

    /// The init segment of a rendition, from the cache or made now.
    ///
    /// - Throws: ``PackagingError``, ``OriginFailure``.
    func initSegment(of rendition: DeliveredRendition, _ cancellation: Cancellation) throws -> KeptBytes {
        try store.kept(
            for: .initSegment(rendition),
            cancellation: cancellation,
            isCostly: { held(rendition)?.isEncoded(rendition.rendition, cancellation: cancellation) == true }
        ) { work in
            try rendition.identity.whileUnchanged {
                try presentation(of: rendition, work).initSegment(rendition.rendition, cancellation: work)
            }
        }
    }

    /// Returns a segment, from the cache or made now.
    ///
    /// - Parameters:
    ///   - cancellation: Stops the work of this caller.
    ///   - isAhead: True for a prefetch.
    ///   - begin: Called with the presentation before the segment is made.
    /// - Returns: Its bytes.
    /// - Throws: ``PackagingError``, ``OriginFailure``.
    func segment(
        _ segment: DeliveredSegment,
        _ cancellation: Cancellation,
        isAhead: Bool = false,
        begin: (any Presenting) -> Void = { _ in }
    ) throws -> KeptBytes {
        let rendition = segment.delivered
        return try store.kept(
            for: .segment(segment),
            cancellation: cancellation,
            isAhead: isAhead,
            isCostly: { held(rendition)?.isEncoded(rendition.rendition, cancellation: cancellation) == true }
        ) { work in
            try rendition.identity.whileUnchanged {
                let presentation = try presentation(of: rendition, work)
                begin(presentation)
                let make = {
                    try presentation.segment(
                        segment.number,
                        of: rendition.rendition,
                        in: rendition.container,
                        cancellation: work
                    )
                }
                // Encoding video takes longer than another segment may wait for a slot.
                if presentation.videoEncoder(of: rendition.rendition) != nil { return try make() }
                return try store.making.make(store.maximumSize, cancellation: work, make: make)
            }
        }
    }

    /// The presentation of a rendition, opened if necessary.
    ///
    /// - Throws: ``PackagingError``, ``OriginFailure``.
    func presentation(of rendition: DeliveredRendition, _ cancellation: Cancellation) throws -> any Presenting {
        try presentations.presentation(
            of: rendition.identity,
            for: rendition.device,
            in: rendition.container,
            cancellation: cancellation
        )
    }

    /// The presentation of a rendition if it is open.
    func held(_ rendition: DeliveredRendition) -> (any Presenting)? {
        presentations.held(rendition.identity, for: rendition.device, in: rendition.container)
    }
}
