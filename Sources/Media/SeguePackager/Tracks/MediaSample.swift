internal import SegueFFmpeg

/// One coded frame on its way into a segment, its times in the track's own units, the offset included.
struct MediaSample {
    var payload = Payload.bytes([])
    var dts: Int64
    var pts: Int64
    var duration: Int64
    var isKey: Bool

    /// Where a frame's bytes are.
    enum Payload {
        /// In memory of their own.
        case bytes([UInt8])
        /// In a packet as it was read, but for so many bytes at its beginning.
        case packet(Packet, skipping: Int)
        /// In a part of the file.
        case stored(Stretch, Range<Int>)
        /// Not read; for those who want to know of how many there are alone.
        case unknown(count: Int)

        /// The number of bytes.
        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .packet(let packet, let skipped): packet.size - skipped
            case .stored(_, let range): range.count
            case .unknown(let count): count
            }
        }

        /// Lends the bytes.
        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            switch self {
            case .bytes(let bytes): try bytes.withUnsafeBytes(body)
            case .packet(let packet, let skipped):
                try packet.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[skipped...])) }
            case .stored(let stretch, let range): try stretch.withBytes(range, body)
            case .unknown(let count): try [UInt8](repeating: 0, count: count).withUnsafeBytes(body)
            }
        }

        /// The same but for so many bytes at its beginning.
        func dropping(_ count: Int) -> Payload {
            switch self {
            case .bytes(let bytes): .bytes(Array(bytes.dropFirst(count)))
            case .packet(let packet, let skipped): .packet(packet, skipping: min(packet.size, skipped + count))
            case .stored(let stretch, let range): .stored(stretch, range.dropFirst(count))
            case .unknown(let whole): .unknown(count: max(0, whole - count))
            }
        }
    }
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

    /// The number of bytes in all samples.
    var byteCount: Int { samples.reduce(0) { $0 + $1.payload.count } }
}

/// How a track is coded in segments.
enum TrackFormat: Sendable {
    case h264(VideoConfiguration)
    case hevc(VideoConfiguration)
    case aac(AACConfiguration)
    case mp3(lowRate: Bool)
    case ac3
    case eac3
    case flac
    case alac
    case opus

    var isVideo: Bool {
        switch self {
        case .h264, .hevc: true
        default: false
        }
    }
}
