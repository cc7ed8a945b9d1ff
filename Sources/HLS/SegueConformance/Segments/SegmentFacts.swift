package import SegueBase
internal import SegueContainers
package import SeguePlaylists

/// The facts of a segment that the rules need.
package struct SegmentFacts: Sendable {
    /// The index in the playlist, from 0.
    package var number: Int

    /// The absolute URL.
    package var url: String

    /// The size in bytes.
    package var size: Int

    /// The container format; nil if the segment cannot be read.
    package var layout: SegmentInspection.Layout?

    /// The reason why it cannot be read; nil if it can.
    package var failure: Message?

    package var tracks: [TrackFacts] = []

    /// The facts of the packets; nil for other formats than MPEG-TS.
    package var transport: TransportFacts?

    /// True if the video starts with a random access point: an IDR frame, or a CRA or BLA frame of HEVC; nil without
    /// video or if it is unknown.
    package var startsWithIDR: Bool?

    /// True if leading frames may refer to earlier segments, after a CRA or BLA frame of HEVC.
    package var startsOpen = false

    /// The cues; nil for other formats than WebVTT.
    package var subtitles: SubtitleFacts?

    /// The times of TTML; nil for other formats.
    package var timedText: TimedTextFacts?

    /// The channels and services of closed captions in the video, as in `INSTREAM-ID`.
    package var captions: Set<String> = []

    /// The faults in the bytes.
    package var faults: [MediaFault] = []

    /// A hash of the bytes; nil for WebVTT.
    package var digest: UInt64?

    /// The sequence numbers of the first and the last fragment; nil without fragments.
    package var sequence: ClosedRange<Int>?

    package init(number: Int, url: String, size: Int, layout: SegmentInspection.Layout? = nil) {
        (self.number, self.url, self.size, self.layout) = (number, url, size, layout)
    }

    /// The track that times the segment: video if present, otherwise audio.
    var mainTrack: TrackFacts? { tracks.first { $0.kind == .video } ?? tracks.first { $0.kind == .audio } }
}

// Size: one property for each fact that segments state on a track.
/// The facts of a track that the rules need.
package struct TrackFacts: Sendable, Equatable {
    /// The track ID or PID.
    package var number: Int

    package var kind: SegmentTrack.Kind

    /// The short name of the codec.
    package var codec: String

    /// The codec in the form of `CODECS`; nil if the parameters do not determine it.
    package var parameters: String?

    /// The codec for messages; AAC with its sample rate, which shows if it may be HE-AAC.
    var shown: String? {
        guard parameters == "mp4a.40.2", let rate = setup?.sampleRate else { return parameters }
        return "mp4a.40.2 of \(rate) Hz"
    }

    /// The first decode time in seconds.
    package var decodeStart: Rational?

    /// The minimum presentation time in seconds.
    package var start: Rational?

    /// The maximum presentation time in seconds.
    package var last: Rational?

    /// The total duration of the samples in seconds; nil if the bytes do not state it.
    package var duration: Rational?

    /// The number of samples; in transport streams, of PES packets.
    package var samples: Int?

    /// The number of samples with zero duration.
    package var zeroDurations = 0

    /// A hash of the decoder setup; nil if it is unknown.
    package var coding: UInt64?

    /// `PQ` or `HLG` if the video is coded so; nil otherwise.
    package var videoRange: String?

    /// The coding setup; nil if it is unknown.
    package var setup: CodingSetup?

    package var isEncrypted = false

    /// True if the track has a loudness box (ISO/IEC 14496-12, 12.2.7).
    package var hasLoudnessBox = false

    /// The presentation times of the keyframes in seconds; nil if they are unknown.
    package var keyframes: [Rational]?

    /// The minimum interval between frames in seconds.
    package var leastStep: Rational?

    /// The maximum interval between frames in seconds.
    package var greatestStep: Rational?

    /// The number of audio frames of a transport stream; nil for other formats.
    package var codedFrames: Int?

    /// The number of complete samples; nil if it is unknown.
    package var wholeSamples: Int?

    /// The duration of a coded audio frame; zero if it is unknown.
    var codedFrame: Rational {
        guard kind == .audio, let setup, let length = setup.frameLength, length > 0, let rate = setup.sampleRate,
            rate > 0
        else { return .zero }
        return Rational(Int64(length), Int64(rate))
    }

    package init(number: Int, kind: SegmentTrack.Kind, codec: String) {
        (self.number, self.kind, self.codec) = (number, kind, codec)
    }

    init(_ track: SegmentTrack) {
        self.init(number: track.number, kind: track.kind, codec: track.codec)
        (decodeStart, start, last) = (track.decodeStart, track.start, track.last)
        (duration, samples, isEncrypted) = (track.duration, track.samples, track.isEncrypted)
    }
}

/// The facts of an initialization section that the rules need.
package struct InitializationFacts: Sendable {
    /// The absolute URL.
    package var url: String

    /// The major and compatible brands.
    package var brands: [String] = []

    /// True if `moov` contains `mvex`.
    package var hasMovieExtends = false

    /// The number of samples in the sample tables.
    package var samples = 0

    package var tracks: [TrackFacts] = []

    /// The reason why it cannot be read; nil if it can.
    package var failure: Message?

    /// The state that reading its segments needs.
    package var inspection: SegmentInspection?

    /// The faults in the bytes.
    package var faults: [MediaFault] = []

    /// The coding setups by track ID.
    var entries: [Int: EntrySetup] = [:]

    /// For each sample entry by track ID, true if its samples are encrypted.
    var encryptedEntries: [Int: [Bool]] = [:]

    /// The default sample properties by track ID.
    var defaults: [Int: TrackDefaults] = [:]

    /// The duration of an audio frame by track ID, in units of the track.
    var frameUnits: [Int: Rational] {
        tracks.reduce(into: [:]) { result, track in
            guard track.kind == .audio, let setup = track.setup, let length = setup.frameLength, length > 0,
                let rate = setup.sampleRate, rate > 0,
                let scale = inspection?.tracks.first(where: { $0.number == track.number })?.initialization?.timeScale
            else { return }
            result[track.number] = Rational(Int64(length) * scale, Int64(rate))
        }
    }

    /// The encrypted tracks whose samples need their own initialization vectors.
    var needsVectors: Set<Int> {
        Set(
            tracks.filter { $0.isEncrypted && ($0.kind == .video || entries[$0.number]?.hasVectors == true) }.map(
                \.number
            )
        )
    }

    package init(url: String) { self.url = url }
}
