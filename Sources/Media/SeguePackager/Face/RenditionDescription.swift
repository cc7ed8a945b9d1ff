package import SegueBase

/// What is done to a stream on its way into segments.
package enum Treatment: Sendable, Hashable, Codable {
    /// The coded bytes are taken as they are.
    case copy
    /// They are decoded and coded again, for this reason.
    case transcode(reason: String)
}

/// One track of a rendition.
package struct TrackDescription: Sendable, Hashable, Codable {
    /// What a track carries.
    package enum Kind: String, Sendable, Codable { case video, audio }

    /// What it carries.
    package let kind: Kind
    /// The number of the stream in the source.
    package let sourceStream: Int
    /// The codec in the source.
    package let sourceCodec: String
    /// The codec in the segments.
    package let codec: String
    /// True if it is copied or transcoded.
    package let treatment: Treatment
    /// The codec for CODECS, after RFC 6381.
    package let codecString: String
    /// Samples per second in the segments; 0 for video.
    package let sampleRate: Int
    /// Channels in the segments; 0 for video.
    package let channels: Int
    /// The frame's width as coded, in pixels; 0 for audio.
    package let width: Int
    /// The frame's height as coded, in pixels.
    package let height: Int
    /// Frames per second, on average.
    package let frameRate: Rational?
    /// Frames per second where they are the most, over a second: what FRAME-RATE says (RFC 8216bis, 4.4.6.2).
    package let greatestFrameRate: Rational?
    /// What the numbers in the frame reach, as VIDEO-RANGE says it: `SDR`, `HLG` or `PQ`; nil for audio.
    package let videoRange: String?
    /// The language, where the source says it.
    package let language: String?
    /// True if it is cover art: one frame that stands still, with no film in the source.
    package let isStill: Bool
    /// Bits per second: measured from the packets when copied, estimated when transcoded.
    package let estimatedBitsPerSecond: Int
    /// Samples that decoding segment 0 gives before the content of this track: encoder delay and decoder start.
    ///
    /// They are delivered, timed before the content, and a player that knows of them drops them. 0 for video.
    package let primingSamples: Int
    /// Samples that decoding the last segment gives after the end of the source's audio.
    package let paddingSamples: Int
    /// Samples a channel that are content: what a direct decode of the source gives, at the segments' rate.
    ///
    /// Known for transcoded tracks; nil for copied ones, whose packets are all delivered.
    package let contentSamples: Int?
    /// Frames at the start, as shown, that the source keeps only to decode others, delivered before the content.
    package let leadingFrames: Int
    /// Frames at the end that the source keeps only to decode others, and that the last segment delivers.
    package let trailingFrames: Int
    /// Frames before the source's first keyframe, which cannot be decoded properly and are not delivered.
    package let droppedFrames: Int
}

/// One rendition of a file: what its segments hold.
package struct RenditionDescription: Sendable, Hashable, Codable {
    /// Which rendition.
    package let rendition: Rendition
    /// Which container.
    package let container: SegmentContainer
    /// The tracks, video first.
    package let tracks: [TrackDescription]
    /// Bits per second of the largest segment, container included.
    package let peakBandwidth: Int
    /// Bits per second over the whole, container included.
    package let averageBandwidth: Int
    /// The number of segments it has, and from when to when.
    package let extent: RenditionExtent

    /// The codecs for CODECS.
    package var codecs: [String] { tracks.map(\.codecString) }
    /// True if there is video in it.
    package var hasVideo: Bool { tracks.contains { $0.kind == .video } }
    /// True if there is audio in it.
    package var hasAudio: Bool { tracks.contains { $0.kind == .audio } }
}

/// How much of the plan a rendition fills; known without encoding anything.
package struct RenditionExtent: Sendable, Hashable, Codable {
    /// The number of of the plan's segments it has: those behind its last frame are left out.
    ///
    /// A film whose audio ends early has fewer background segments than full ones.
    package let segmentCount: Int
    /// When its last frame ends, in seconds from the start of the plan; never before its last segment begins.
    ///
    /// A film whose audio ends early has a last background segment that is shorter than the full one.
    package let end: Rational
    /// How much later than the plan its frames begin, in seconds, where it has no audio; 0 else.
    package let lateStart: Rational
    /// True if every segment can be decoded without the others.
    package let isIndependent: Bool
}
