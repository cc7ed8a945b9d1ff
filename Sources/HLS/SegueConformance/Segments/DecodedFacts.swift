package import SegueBase

/// The result of decoding the segments of a media playlist.
package struct DecodedFacts: Sendable, Equatable {
    /// A segment that fails to decode.
    package struct Failure: Sendable, Equatable {
        /// The index of the segment in the playlist, from 0.
        package var segment: Int
        /// The stream and the decoder's error, as a sentence without a full stop.
        package var words: Message

        package init(segment: Int, words: Message) { (self.segment, self.words) = (segment, words) }
    }

    /// The gated loudness of all audio in LUFS (ITU-R BS.1770); nil for silence.
    package var loudness: Double?

    /// The duration of the decoded audio in seconds.
    package var measured = 0.0

    /// The sample rate of the decoded audio; nil without audio.
    package var sampleRate: Int?

    /// The channel count of the decoded audio.
    package var channels: Int?

    /// The segments whose audio or video fails to decode.
    package var failures: [Failure] = []

    package init() {}
}
