import SeguePackager

/// A rendition of one version of a file for a device; its segments share these properties.
struct DeliveredRendition: Hashable, Sendable {
    /// The file and its version.
    var identity: FileIdentity
    var device = DeviceProfile.any
    var rendition: Rendition
    var container: SegmentContainer

    /// The media type of its segments.
    var contentType: String {
        switch container {
        case .ts: "video/mp2t"
        case .fmp4: rendition.hasVideo ? "video/mp4" : "audio/mp4"
        }
    }
}

struct DeliveredSegment: Hashable, Sendable {
    var delivered: DeliveredRendition
    /// The number in the plan.
    var number: Int
    /// The size of a file that grows, if the segment is not final yet; otherwise nil.
    var unfinishedSize: Int64?

    init(_ number: Int, of delivered: DeliveredRendition, unfinishedSize: Int64? = nil) {
        (self.number, self.delivered, self.unfinishedSize) = (number, delivered, unfinishedSize)
    }
}
