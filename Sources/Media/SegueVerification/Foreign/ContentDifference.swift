package import SegueBase

/// A difference between delivered content and the source.
package struct ContentDifference: Sendable, Equatable {
    package var rule: VerificationReport.Rule
    /// A one-line message with position and size.
    package var message: Message
    /// The number of the first affected segment; nil for all.
    package var segment: Int?
    /// The position in the playlist, in seconds; nil for everywhere.
    package var seconds: Double?
    /// The size in seconds: of missing, repeated, or silent content, or of a shift.
    package var size: Double?
}

/// The comparison of a delivered stream with its source.
package struct ContentReport: Sendable, Equatable {
    package struct Metrics: Sendable, Equatable {
        /// The duration of matching audio, in seconds.
        package var audioSeconds = 0.0
        /// The number of matching frames.
        package var frames = 0
        /// The worst delay of the audio relative to the video, compared with the source, in milliseconds.
        package var avOffsetMilliseconds: Double?
        /// The mean and minimum similarity of frames.
        package var meanLikeness: Double?
        package var leastLikeness: Double?
        /// The size of all segments and initialization sections, in bytes.
        package var bytes = 0
        /// The shift of timestamps in seconds; of the video if there is any.
        package var timestampOffset: Double?
    }

    package var name: String
    /// The differences; empty if everything is correct.
    package var differences: [ContentDifference] = []
    package var metrics = Metrics()
    /// The libav errors in the source.
    package var sourceComplaints: [String] = []

    package var isRight: Bool { differences.isEmpty }
}
