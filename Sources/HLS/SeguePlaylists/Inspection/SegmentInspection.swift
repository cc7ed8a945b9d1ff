package import SegueBase

/// What a segment or an initialization section holds, as far as its own bytes tell.
package struct SegmentInspection: Sendable, Equatable, Codable {
    /// How the bytes are laid out.
    package enum Layout: String, Sendable, Codable {
        /// An MPEG-2 transport stream.
        case transportStream
        /// ISO base media with fragments, their initialization, or both.
        case fragmentedMP4
        /// An ISO base media file that has its samples in one table.
        case mp4
        /// Frames of one audio codec without a container, perhaps after an ID3 tag.
        case packedAudio
        /// WebVTT cues.
        case webVTT
    }

    /// How the bytes are laid out.
    package var layout: Layout

    /// What is in it: of an initialization, every track; of an fMP4 segment, the tracks
    /// that it has fragments of; of a transport stream, what its PMT announces.
    package var tracks: [SegmentTrack]

    /// Whether the bytes hold an initialization (`moov`, or a PAT with its PMT).
    package var hasInitialization: Bool

    /// Whether the bytes hold samples.
    package var hasMedia: Bool

    /// How often a transport stream lost its rhythm of 188 bytes.
    package var syncLosses = 0

    /// Whether any track has video.
    package var hasVideo: Bool { tracks.contains { $0.kind == .video } }

    /// Whether any track has audio.
    package var hasAudio: Bool { tracks.contains { $0.kind == .audio } }

    /// The least presentation time of audio and video, in seconds; nil when no time is known.
    package var start: Rational? {
        tracks.filter { $0.kind == .audio || $0.kind == .video }.compactMap(\.start).min()
    }
}

/// One track or elementary stream of a segment.
package struct SegmentTrack: Sendable, Equatable, Codable {
    /// What is in a track.
    package enum Kind: String, Sendable, Codable {
        /// Moving pictures.
        case video
        /// Sound.
        case audio
        /// Subtitles or captions.
        case text
        /// Timed metadata, such as ID3.
        case metadata
        /// Anything else.
        case other
    }

    /// The track's number or the stream's PID; 0 for packed audio.
    package var number: Int

    /// What is in it.
    package var kind: Kind

    /// The codec by its common short name (`h264`, `hevc`, `aac`, `mp3`, `ac3`, `eac3`, …), else as the container has
    /// it (`stream type 0x42`, a four-character code).
    package var codec: String

    /// Whether its samples are encrypted.
    package var isEncrypted = false

    /// Its language as the container says; nil when it does not.
    package var language: String?

    /// The first decode time in seconds, on the container's clock; nil when there is none.
    package var decodeStart: Rational?

    /// The least presentation time in seconds, edit lists applied; nil when there is none.
    package var start: Rational?

    /// The greatest presentation time at which a sample begins; nil when it is not known.
    package var last: Rational?

    /// How long its samples are together, in seconds; nil when the bytes do not tell.
    package var duration: Rational?

    /// How many samples (in a transport stream, PES packets with a time) it has; nil when the bytes do not tell.
    package var samples: Int?

    /// What its initialization says that segments need; nil in segments and transport streams.
    package var initialization: TrackInitialization?

    init(number: Int, kind: Kind, codec: String) {
        self.number = number
        self.kind = kind
        self.codec = codec
    }
}

/// What segments need to know from their track's initialization.
package struct TrackInitialization: Sendable, Equatable, Codable {
    /// Units a second of the track's clock.
    package var timeScale: Int64

    /// The duration of a sample that does not say, in units (`trex`).
    package var defaultDuration: Int64

    /// What is added to a media time for its presentation time, in seconds: what the edit list says.
    package var editOffset: Rational
}

/// Why bytes are not a segment.
package struct SegmentError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    /// One line that says what is wrong.
    package let description: String

    init(_ description: String) { self.description = description }
}
