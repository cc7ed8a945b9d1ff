package import SegueBase

/// The content of a segment or an initialization section, by its own bytes.
package struct SegmentInspection: Sendable, Equatable, Codable {
    /// The container format.
    package enum Layout: String, Sendable, Codable {
        /// An MPEG-2 transport stream.
        case transportStream
        /// ISO base media with fragments, an initialization section, or both.
        case fragmentedMP4
        /// An ISO base media file with its samples in one table.
        case mp4
        /// Frames of one audio codec without a container, with optional ID3 tags.
        case packedAudio
        /// A list of WebVTT cues.
        case webVTT
    }

    /// The container format.
    package var layout: Layout

    /// The tracks: all tracks of an initialization section, the tracks with fragments in an fMP4 segment, or the
    /// streams of the PMT in a transport stream.
    package var tracks: [SegmentTrack]

    /// True if the bytes contain an initialization section (`moov`, or a PAT with its PMT).
    package var hasInitialization: Bool

    /// True if the bytes contain samples.
    package var hasMedia: Bool

    /// The number of times that a transport stream lost its 188-byte packet alignment.
    package var syncLosses = 0

    package var hasVideo: Bool { tracks.contains { $0.kind == .video } }

    package var hasAudio: Bool { tracks.contains { $0.kind == .audio } }

    /// The minimum presentation time of audio and video in seconds; nil if no time is known.
    package var start: Rational? {
        tracks.filter { $0.kind == .audio || $0.kind == .video }.compactMap(\.start).min()
    }
}

/// A track or an elementary stream of a segment.
package struct SegmentTrack: Sendable, Equatable, Codable {
    /// The kind of content of a track.
    package enum Kind: String, Sendable, Codable {
        case video
        case audio
        /// Subtitles or captions.
        case text
        /// Timed metadata, such as ID3.
        case metadata
        /// Content of another kind.
        case other
    }

    /// The track ID or the PID; 0 for packed audio.
    package var number: Int

    /// The kind of content.
    package var kind: Kind

    /// The short name of the codec (`h264`, `hevc`, `aac`, `mp3`, `ac3`, `eac3`, …), or the name in the container
    /// (`stream type 0x42`, a four-character code).
    package var codec: String

    /// True if the samples are encrypted.
    package var isEncrypted = false

    /// The language in the container; nil if not given.
    package var language: String?

    /// The first decode time in seconds on the container's clock; nil if there is none.
    package var decodeStart: Rational?

    /// The minimum presentation time in seconds, with edit lists applied; nil if there is none.
    package var start: Rational?

    /// The maximum presentation time of a sample in seconds; nil if it is unknown.
    package var last: Rational?

    /// The total duration of the samples in seconds; nil if the bytes do not state it.
    package var duration: Rational?

    /// The number of samples, in transport streams of PES packets with a timestamp; nil if the bytes do not state it.
    package var samples: Int?

    /// The state that its segments need; nil in segments and transport streams.
    package var initialization: TrackInitialization?

    init(number: Int, kind: Kind, codec: String) {
        self.number = number
        self.kind = kind
        self.codec = codec
    }
}

/// The state of an initialization section that the segments of a track need.
package struct TrackInitialization: Sendable, Equatable, Codable {
    /// The timescale in units per second.
    package var timeScale: Int64

    /// The default sample duration in units (`trex`).
    package var defaultDuration: Int64

    /// The offset from media time to presentation time in seconds, by the edit list.
    package var editOffset: Rational
}

/// The reason why bytes are not a segment.
package struct SegmentError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    /// The reason as one line.
    package let description: String

    init(_ description: String) { self.description = description }
}
