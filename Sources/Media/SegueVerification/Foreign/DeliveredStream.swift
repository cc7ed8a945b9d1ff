/// A media playlist as delivered by any server: segments in order.
package struct DeliveredStream: Sendable {
    /// A segment of the playlist.
    package struct Segment: Sendable, Equatable {
        /// The declared duration, in seconds.
        package var duration: Double
        /// True if the playlist declares a discontinuity before the segment.
        package var startsDiscontinuity: Bool
        /// The number of its initialization section for ``DeliveredStream/initSection``; nil for none.
        package var initSection: Int?

        package init(duration: Double, startsDiscontinuity: Bool = false, initSection: Int? = nil) {
            self.duration = duration
            self.startsDiscontinuity = startsDiscontinuity
            self.initSection = initSection
        }
    }

    /// The name in findings: the playlist's URL or path.
    package var name: String
    /// The segments, in order.
    package var segments: [Segment]
    /// The declared language of its audio; nil if none is declared.
    package var language: String?
    /// Fetches an initialization section by number.
    package var initSection: @Sendable (Int) throws -> [UInt8]
    /// Fetches a decrypted segment by number from 0; called once each, in order.
    package var bytes: @Sendable (Int) throws -> [UInt8]

    /// Creates a playlist that fetches segments on demand.
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

    /// The start of each segment in the playlist, in seconds: the sum of the preceding durations.
    var starts: [Double] {
        var sum = 0.0
        return segments.map { segment in
            defer { sum += segment.duration.isFinite ? max(0, segment.duration) : 0 }
            return sum
        }
    }
}
