/// Something in delivered content that is not as it is in the source.
package struct ContentDifference: Sendable, Equatable {
    /// Which rule is broken.
    package var rule: VerificationReport.Rule
    /// What is wrong, in one line that names place and size.
    package var message: String
    /// The number of the segment in which it begins; nil for all of them.
    package var segment: Int?
    /// Where it begins, in seconds of the playlist; nil for everywhere.
    package var seconds: Double?
    /// How large it is, in seconds: what is missing, repeated, silent, or by how much something is moved.
    package var size: Double?
}

/// What came of comparing a delivered stream with its source.
package struct ContentReport: Sendable, Equatable {
    /// Numbers about what was compared.
    package struct Metrics: Sendable, Equatable {
        /// Seconds of audio that are the source's.
        package var soundSeconds = 0.0
        /// Frames that are the source's.
        package var pictures = 0
        /// How much later than in the source the audio is, against the frame, in milliseconds; the worst.
        package var avOffsetMilliseconds: Double?
        /// The mean likeness of the frames, and the minimum.
        package var meanLikeness: Double?
        package var leastLikeness: Double?
        /// Bytes of all segments and initialization sections.
        package var bytes = 0
        /// By how much timestamps were moved, in seconds; of the frame where there is one.
        package var timestampOffset: Double?
    }

    /// The playlist.
    package var name: String
    /// What is wrong; empty when everything is right.
    package var differences: [ContentDifference] = []
    /// What was compared.
    package var metrics = Metrics()
    /// What libav complained about in the source.
    package var sourceComplaints: [String] = []

    /// True if everything is right.
    package var isRight: Bool { differences.isEmpty }
}
