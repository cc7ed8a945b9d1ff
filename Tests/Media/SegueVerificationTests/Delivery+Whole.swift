import SegueConcurrency
import SeguePackager

@testable import SegueVerification

extension Delivery {
    /// The complete delivery of a rendition.
    ///
    /// - Parameters:
    ///   - head: The initialization section; nil for the presentation's.
    static func whole(
        of presentation: any Presenting,
        _ rendition: Rendition = .full,
        in container: SegmentContainer,
        head: [UInt8]? = nil
    ) throws -> (delivery: Delivery, segments: [[UInt8]]) {
        let description = try presentation.rendition(rendition, in: container)
        let segments = try (0..<description.extent.segmentCount).map {
            try presentation.segment($0, of: rendition, in: container, cancellation: Cancellation())
        }
        let own = container == .fmp4 ? try presentation.initSegment(rendition, cancellation: Cancellation()) : []
        let delivery = Delivery(
            description: description,
            plan: presentation.plan,
            initSegment: head ?? own,
            segments: segments
        )
        return (delivery, segments)
    }
}
