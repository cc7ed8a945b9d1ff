/// What any server delivered as one media playlist: segments in order, as a player gets them.
package struct DeliveredStream: Sendable {
    /// One segment, as the playlist has it.
    package struct Segment: Sendable, Equatable {
        /// How long the playlist says it is, in seconds.
        package var duration: Double
        /// True if the playlist says that its timestamps or encoding do not continue those of the segment before.
        package var startsDiscontinuity: Bool
        /// Which initialization section it needs, as a number for ``DeliveredStream/initSection``; nil for none.
        package var initSection: Int?

        /// A segment.
        package init(duration: Double, startsDiscontinuity: Bool = false, initSection: Int? = nil) {
            self.duration = duration
            self.startsDiscontinuity = startsDiscontinuity
            self.initSection = initSection
        }
    }

    /// What to call it in findings: the playlist's URL or path.
    package var name: String
    /// The segments in order.
    package var segments: [Segment]
    /// The language of its audio, as the playlist says it; nil where it says none.
    package var language: String?
    /// Gives an initialization section's bytes, by its number.
    package var initSection: @Sendable (Int) throws -> [UInt8]
    /// Gives a segment's bytes, decrypted, by its number from 0; each is requested once, in order.
    package var bytes: @Sendable (Int) throws -> [UInt8]

    /// A playlist whose segments are fetched one by one.
    package init(
        name: String,
        segments: [Segment],
        language: String? = nil,
        initSection: @escaping @Sendable (Int) throws -> [UInt8] = { _ in [] },
        bytes: @escaping @Sendable (Int) throws -> [UInt8]
    ) {
        self.name = name
        self.segments = segments
        self.language = language
        self.initSection = initSection
        self.bytes = bytes
    }

    /// When a segment begins in the playlist, in seconds: the sum of all durations before it.
    var starts: [Double] {
        var sum = 0.0
        return segments.map { segment in
            defer { sum += segment.duration.isFinite ? max(0, segment.duration) : 0 }
            return sum
        }
    }
}
