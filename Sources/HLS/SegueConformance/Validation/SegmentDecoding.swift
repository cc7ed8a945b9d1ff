/// A segment as a decoder takes it.
package struct DecodableSegment: Sendable {
    /// Its number in the playlist, from 0.
    package var number: Int
    /// What its bytes say of themselves.
    package var facts: SegmentFacts
    /// Its bytes, decrypted.
    package var bytes: [UInt8]
    /// Its initialization section, decrypted; empty where it has none.
    package var initialization: [UInt8]
    /// Whether the decoder is set up anew with it: the first one, and each with another initialization section or behind
    /// a discontinuity.
    package var beginsAnew: Bool

    /// A segment.
    package init(
        number: Int,
        facts: SegmentFacts,
        bytes: [UInt8],
        initialization: [UInt8] = [],
        beginsAnew: Bool = false
    ) {
        (self.number, self.facts, self.bytes) = (number, facts, bytes)
        (self.initialization, self.beginsAnew) = (initialization, beginsAnew)
    }
}

/// Decodes the segments of one media playlist; one thread uses it.
///
/// What has one is told more than what has none: this room knows no decoder.
package protocol SegmentDecoding: AnyObject {
    /// Takes the next segment that can be looked into.
    func take(_ segment: DecodableSegment)

    /// What all of them showed; asked for once, after the last.
    func facts() -> DecodedFacts
}
