/// One coded frame on its way into a segment, its times in the track's own units, the offset included.
struct MediaSample {
    var bytes: [UInt8]
    var dts: Int64
    var pts: Int64
    var duration: Int64
    var isKey: Bool
}

/// One track's part of a segment.
struct TrackSamples {
    /// What the samples are, for the writer.
    var format: TrackFormat
    /// Units a second of the samples' times.
    var timescale: Int64
    var samples: [MediaSample]
    /// When the first sample is decoded, or would be if there were any.
    var start: Int64
    /// When the track's first sample after this segment is decoded; nil when there is none.
    var next: Int64?
}

/// How a track is coded in segments.
enum TrackFormat: Sendable {
    case h264(PictureConfiguration)
    case hevc(PictureConfiguration)
    case aac(AACConfiguration)
    case mp3(lowRate: Bool)
    case ac3
    case eac3

    var isVideo: Bool {
        switch self {
        case .h264, .hevc: true
        default: false
        }
    }
}
