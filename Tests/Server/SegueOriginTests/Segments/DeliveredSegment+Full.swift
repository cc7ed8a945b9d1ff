import SeguePackager

@testable import SegueOrigin

extension DeliveredSegment {
    /// A segment of picture and sound as a transport stream, for any device.
    init(_ number: Int, of identity: FileIdentity) {
        self.init(number, of: DeliveredRendition(identity: identity, rendition: .full, container: .ts))
    }
}
