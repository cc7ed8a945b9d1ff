package import SeguePackager

/// What a server delivered of one rendition of a file: everything that a player would have got.
package struct Delivery: Sendable {
    /// What the rendition is said to hold.
    package var description: RenditionDescription

    /// Where the file was said to be cut.
    package var plan: SegmentPlan

    /// The init segment; empty for containers that have none.
    package var initSegment: [UInt8]

    /// The number of segments.
    package var segmentCount: Int

    /// The number of pixels the source's largest frame has; the larger, the fewer segments are worked on at once.
    package var sourcePixels = 0

    /// The bytes of a segment; asked for by several threads, once or twice, so that a film need never be in memory as a
    /// whole.
    package var segment: @Sendable (Int) throws -> [UInt8]

    /// A delivery whose segments are fetched one by one.
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

    /// A delivery whose segments are at hand.
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
