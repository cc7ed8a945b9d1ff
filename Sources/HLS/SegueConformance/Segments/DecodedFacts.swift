package import SegueBase

/// The result of decoding the segments of a media playlist.
package struct DecodedFacts: Sendable, Equatable {
    /// A segment that fails to decode.
    package struct Failure: Sendable, Equatable {
        /// The index of the segment in the playlist, from 0.
        package var segment: Int
        /// The stream and the decoder's error, as a sentence without a full stop.
        package var words: Message
        /// True if more than a quarter of the frames are damaged or missing.
        package var isGross: Bool

        package init(segment: Int, words: Message, isGross: Bool = false) {
            (self.segment, self.words, self.isGross) = (segment, words, isGross)
        }
    }

    /// The gated loudness of all audio in LUFS (ITU-R BS.1770); nil for silence.
    package var loudness: Double?

    /// The duration of the decoded audio in seconds.
    package var measured = 0.0

    /// The sample rate of the decoded audio; nil without audio.
    package var sampleRate: Int?

    /// The channel count of the decoded audio.
    package var channels: Int?

    /// The content of the decoded frames; that of a decoder which decodes only their beginning says nothing.
    package var content = DecodedContent()

    /// The sampled pictures in the order of their segments and times.
    package var pictures: [DecodedPicture] = []

    /// The segments whose audio or video fails to decode.
    package var failures: [Failure] = []

    package init() {}
}

/// The content of a decoded segment as a viewer perceives it.
package struct DecodedContent: Sendable, Equatable {
    /// True if all frames are black.
    package var isBlack = false
    /// True if all frames look the same.
    package var isFrozen = false
    /// True if there is audio, and all of it is silent.
    package var isSilent = false

    package init() {}
}
