package import SegueBase

/// A segment for a decoder.
package struct DecodableSegment: Sendable {
    /// The index in the playlist, from 0.
    package var number: Int
    package var facts: SegmentFacts
    /// The decrypted bytes.
    package var bytes: [UInt8]
    /// The decrypted initialization section; empty if there is none.
    package var initialization: [UInt8]
    /// True if the decoder must restart: for the first segment, after a discontinuity, and with another initialization
    /// section.
    package var beginsAnew: Bool
    /// The part whose pictures are kept, in seconds from the start; nil to keep none.
    package var pictures: ClosedRange<Rational>?
    /// True for an I-frame, which may be a part of a segment: only its picture counts.
    package var isIFrame = false

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

/// A decoder for the segments of one media playlist, used by one thread.
///
/// This module has no decoder; a validation without one skips the rules on decoded media.
package protocol SegmentDecoding: AnyObject {
    /// Decodes the next readable segment.
    func take(_ segment: DecodableSegment)

    /// Returns the result of all segments; called once, after the last one.
    func facts() -> DecodedFacts
}
