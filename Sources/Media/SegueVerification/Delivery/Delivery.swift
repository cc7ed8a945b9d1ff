package import SeguePackager

/// A server's delivery of one rendition of a file: everything that a player would receive.
package struct Delivery: Sendable {
    /// The server's description of the rendition.
    package var description: RenditionDescription

    /// The declared segment boundaries.
    package var plan: SegmentPlan

    /// The init segment; empty if the container has none.
    package var initSegment: [UInt8]

    package var segmentCount: Int

    /// The maximum frame size of the source, in pixels; larger frames reduce parallelism.
    package var sourcePixels = 0

    /// Fetches a segment; called from several threads, once or twice per segment, so the media need not fit in memory.
    package var segment: @Sendable (Int) throws -> [UInt8]

    /// Creates a delivery that fetches segments on demand.
    package init(
        description: RenditionDescription,
        plan: SegmentPlan,
        initSegment: [UInt8],
        segmentCount: Int,
        segment: @escaping @Sendable (Int) throws -> [UInt8]
    ) {
        self.description = description
        self.plan = plan
        self.initSegment = initSegment
        self.segmentCount = segmentCount
        self.segment = segment
    }

    /// Creates a delivery of segments in memory.
    package init(
        description: RenditionDescription,
        plan: SegmentPlan,
        initSegment: [UInt8],
        segments: [[UInt8]]
    ) {
        self.init(
            description: description,
            plan: plan,
            initSegment: initSegment,
            segmentCount: segments.count
        ) { segments[$0] }
    }
}
