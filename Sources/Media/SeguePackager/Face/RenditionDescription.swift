package import SegueBase
package import SegueFFmpeg

/// The treatment of a stream.
package enum Treatment: Sendable, Hashable, Codable {
    /// Coded bytes are kept.
    case copy
    /// The stream is decoded and encoded, for this reason.
    case transcode(reason: String)
}

// Size: a flat record, a field for each property of a track in a description.
/// The description of a rendition's track.
package struct TrackDescription: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Codable { case video, audio }

    package let kind: Kind
    /// The stream's index in the source.
    package let sourceStream: Int
    package let sourceCodec: String
    /// The codec in the segments.
    package let codec: String
    package let treatment: Treatment
    /// The codec string for CODECS (RFC 6381).
    package let codecString: String
    /// The enhancement for SUPPLEMENTAL-CODECS (RFC 8216bis, 4.4.6.2); nil if there is none.
    package let supplementalCodec: String?
    /// The sample rate in the segments, in hertz; 0 for video.
    package let sampleRate: Int
    /// The number of channels in the segments; 0 for video.
    package let channels: Int
    /// The displayed width, in coded pixels; 0 for audio.
    package let width: Int
    /// The displayed height, in coded pixels; 0 for audio.
    package let height: Int
    /// The transform of copied video that the player applies; nil if it is coded upright.
    package let turn: VideoRotation?
    /// The average frame rate.
    package let frameRate: Rational?
    /// The maximum frame rate over one second, for FRAME-RATE (RFC 8216bis, 4.4.6.2).
    package let greatestFrameRate: Rational?
    /// The value of VIDEO-RANGE: `SDR`, `HLG`, or `PQ`; nil for audio.
    package let videoRange: String?
    /// The dynamic range of copied HDR video, such as `HDR10` or its relation to Dolby Vision; nil for other tracks.
    package let dynamicRange: String?
    /// The language, if the source declares it.
    package let language: String?
    /// True for cover art shown as video.
    package let isStill: Bool
    /// The bit rate, in bits per second: measured if copied, estimated if transcoded.
    package let estimatedBitsPerSecond: Int
    /// The samples before the track's content when decoding starts at segment 0; 0 for video.
    ///
    /// They are encoder delay, decoder start, and silence if the source's audio begins late.
    package let primingSamples: Int
    /// The samples after the end of the source's audio when the last segment is decoded: encoder padding, and silence if
    /// the audio ends early.
    package let paddingSamples: Int
    /// The number of content samples per channel, as in a direct decode of the source at the segments' rate.
    ///
    /// Known for transcoded tracks; nil for copied ones, whose packets are all delivered.
    package let contentSamples: Int?
    /// The number of frames delivered before the content that the source keeps only for decoding.
    package let leadingFrames: Int
    /// The number of frames delivered after the content that the source keeps only for decoding.
    package let trailingFrames: Int
    /// The number of frames before the source's first keyframe, which are not delivered because they cannot be decoded.
    package let droppedFrames: Int
    /// The number of source samples without a picture that are delivered as parts of their pictures.
    package let joinedPackets: Int

    /// The reason for transcoding, or a remark on a copy.
    package var reason: String? {
        switch treatment {
        case .transcode(let reason): reason
        case .copy:
            remarks.isEmpty ? nil : remarks.joined(separator: "; ")
        }
    }

    private var remarks: [String] {
        var remarks: [String] = []
        if let turn { remarks.append("the player shows it \(turn.words)") }
        if let dynamicRange { remarks.append(dynamicRange) }
        if joinedPackets > 0 {
            remarks.append(
                "\(joinedPackets) samples without a picture are joined with their pictures; nothing is damaged"
            )
        }
        return remarks
    }
}

/// The description of a rendition's segments.
package struct RenditionDescription: Sendable, Hashable, Codable {
    package let rendition: Rendition
    package let container: SegmentContainer
    /// The tracks, video first.
    package let tracks: [TrackDescription]
    /// The bit rate of the largest segment with container overhead, in bits per second.
    package let peakBandwidth: Int
    /// The average bit rate with container overhead, in bits per second.
    package let averageBandwidth: Int
    /// The segment count and time range.
    package let extent: RenditionExtent

    package var codecs: [String] { tracks.map(\.codecString) }
    package var hasVideo: Bool { tracks.contains { $0.kind == .video } }
    package var hasAudio: Bool { tracks.contains { $0.kind == .audio } }
}

/// A rendition's extent within the plan, known without encoding.
package struct RenditionExtent: Sendable, Hashable, Codable {
    /// The number of segments, up to the rendition's last frame.
    ///
    /// If the audio ends before the video, there are fewer background segments than full ones.
    package let segmentCount: Int
    /// The end of the last frame, in seconds from the plan's start; not before the start of the last segment.
    ///
    /// If the audio ends before the video, the last background segment is shorter than the full one.
    package let end: Rational
    /// The delay of the first frame after the plan's start in a rendition without audio, in seconds; otherwise 0.
    package let lateStart: Rational
    /// True if each segment can be decoded alone.
    package let isIndependent: Bool
}
