import SeguePackager

/// A rendition of one version of a file, as a device is given it: what its segments have in common.
struct DeliveredRendition: Hashable, Sendable {
    /// The file, and which version of it.
    var identity: FileIdentity
    /// Whom it is for.
    var device = DeviceProfile.any
    /// What of it.
    var rendition: Rendition
    /// How it is cut and packed.
    var container: SegmentContainer

    /// The media type of its segments.
    var contentType: String {
        switch container {
        case .ts: "video/mp2t"
        case .fmp4: rendition.hasPicture ? "video/mp4" : "audio/mp4"
        }
    }
}

/// A segment of a rendition that is delivered.
struct DeliveredSegment: Hashable, Sendable {
    /// Its rendition.
    var delivered: DeliveredRendition
    /// Its number, as in the plan.
    var number: Int

    /// The segment with a number.
    init(_ number: Int, of delivered: DeliveredRendition) { (self.number, self.delivered) = (number, delivered) }
}
