import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// Makes what a rendition consists of, or finds it where it was made before.
struct SegmentMaker: Sendable {
    let presentations: PresentationStore
    let store: SegmentStore

    /// The init segment of a rendition in fragmented MP4, held or made now.
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

    /// A segment, held or made now.
    ///
    /// - Parameters:
    ///   - segment: Which one.
    ///   - cancellation: The caller's own.
    ///   - isAhead: Whether nobody has asked for it yet.
    ///   - begin: Called before it is made, with what it is made from.
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
                // Pictures take far longer to code than any other segment may wait.
                if presentation.pictureEncoder(of: rendition.rendition) != nil { return try make() }
                return try store.making.make(store.greatestSize, work, make)
            }
        }
    }

    /// What a rendition is made from, opened where it is not open.
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

    /// What a rendition is made from, where it is open.
    func held(_ rendition: DeliveredRendition) -> (any Presenting)? {
        presentations.held(rendition.identity, for: rendition.device, in: rendition.container)
    }
}
