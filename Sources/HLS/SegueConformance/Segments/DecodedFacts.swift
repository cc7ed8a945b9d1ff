/// What decoding a media playlist's segments showed; made by who has a decoder.
package struct DecodedFacts: Sendable, Equatable {
    /// What came out as nothing.
    package struct Failure: Sendable, Equatable {
        /// The segment's number in the playlist, from 0.
        package var segment: Int
        /// What of it, and what the decoder says, in a sentence without a full stop.
        package var words: String

        /// A failure.
        package init(segment: Int, words: String) { (self.segment, self.words) = (segment, words) }
    }

    /// The loudness of all its sound, gated, in LUFS (ITU-R BS.1770); nil for silence.
    package var loudness: Double?

    /// How many seconds of sound that was.
    package var measured = 0.0

    /// Samples a second of the sound that came out; nil where none did.
    package var sampleRate: Int?

    /// How many channels that has.
    package var channels: Int?

    /// The segments of which sound or picture cannot be decoded.
    package var failures: [Failure] = []

    /// Nothing that was decoded.
    package init() {}
}
