internal import SegueFFmpeg

/// A coded frame for a segment, with times in track units that include the offset.
struct MediaSample {
    var payload = Payload.bytes([])
    var dts: Int64
    var pts: Int64
    var duration: Int64
    var isKey: Bool

    /// A frame's bytes.
    enum Payload {
        /// An owned array.
        case bytes([UInt8])
        /// A packet without its first bytes.
        case packet(Packet, skipping: Int)
        /// A part of a file section.
        case stored(Stretch, Range<Int>)
        /// A count without bytes, for computing sizes.
        case unknown(count: Int)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .packet(let packet, let skipped): packet.size - skipped
            case .stored(_, let range): range.count
            case .unknown(let count): count
            }
        }

        /// Passes the bytes to `body`.
        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            switch self {
            case .bytes(let bytes): try bytes.withUnsafeBytes(body)
            case .packet(let packet, let skipped):
                try packet.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[skipped...])) }
            case .stored(let stretch, let range): try stretch.withBytes(range, body)
            case .unknown(let count): try [UInt8](repeating: 0, count: count).withUnsafeBytes(body)
            }
        }

        /// The bytes of both.
        func joined(with next: Payload) -> Payload {
            .bytes(withBytes { [UInt8]($0) } + next.withBytes { [UInt8]($0) })
        }

        /// The payload without its first bytes.
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
    /// The sample format for the writer.
    var format: TrackFormat
    /// The unit of sample times, per second.
    var timescale: Int64
    var samples: [MediaSample]
    /// The decode time of the first sample, also without samples.
    var start: Int64
    /// The decode time of the first sample after the segment; nil at the end.
    var next: Int64?

    var byteCount: Int { samples.reduce(0) { $0 + $1.payload.count } }
}

/// A track's codec format in segments.
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
