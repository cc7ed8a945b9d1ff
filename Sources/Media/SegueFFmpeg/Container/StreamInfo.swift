internal import SegueConcurrency
import CSegueFFmpeg
package import SegueBase

package enum StreamKind: String, Sendable, CaseIterable, Codable {
    case audio, video, subtitle, data, attachment, unknown
}

// Size: a field for each property of a stream that libav reports and the index stores.
/// The description of a stream by its container and by libav's probing.
///
/// The encoded form omits everything that only a decoder or muxer needs.
package struct StreamInfo: Sendable, Codable {
    /// The index in the file, from 0.
    package let index: Int
    /// The container's identifier (a TS PID, an MP4 track ID); 0 if none.
    package let containerID: Int
    package let kind: StreamKind
    /// libav's short name of the codec (`h264`, `aac`, `pcm_s16le`); `none` when unknown.
    package let codec: String
    /// True if this libav build can decode the stream.
    package let canDecode: Bool
    /// The profile's name (`High`, `LC`), if the codec has profiles.
    package let profileName: String?
    /// libav's profile number; negative if unknown.
    package let profile: Int
    /// The level as coded; negative if unknown.
    package let level: Int
    /// The four-character codec tag as a little-endian number; 0 if none.
    package let codecTag: UInt32
    /// Out-of-band codec configuration (avcC, hvcC, AudioSpecificConfig, Vorbis headers).
    package internal(set) var extradata: [UInt8] = []
    /// The unit of the stream's timestamps, in seconds.
    package let timeBase: Rational
    /// The declared first timestamp, in seconds.
    package let start: Rational?
    /// The declared duration, in seconds.
    package internal(set) var duration: Rational?
    /// The declared bit rate, in bits per second; 0 if unknown.
    package internal(set) var bitRate: Int64
    /// The width in pixels; 0 if the stream is not video.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The pixel aspect ratio; nil if unknown or assumed to be square.
    package let sampleAspectRatio: Rational?
    package internal(set) var averageFrameRate: Rational?
    /// The lowest frame rate that represents all timestamps exactly, as estimated by libav.
    package let realFrameRate: Rational?
    /// Clockwise rotation for display, in degrees: 0, 90, 180 or 270 for right angles.
    package internal(set) var rotation: Double
    /// The display matrix; nil if there is none.
    package internal(set) var displayMatrix: [Int32]?
    /// True if the stream declares interlaced frames or fields.
    package let isInterlaced: Bool
    /// The Dolby Vision configuration; nil without.
    package let dolbyVision: DolbyVision?
    /// libav's name of the pixel format.
    package let pixelFormat: String?
    /// The decoder's reorder delay, in frames.
    package let reorderDelay: Int
    /// True if display order can differ from decode order.
    package let canReorder: Bool
    /// The color properties as encoder options (`colorspace`, `color_range`).
    package let colour: [String: String]
    package let sampleRate: Int
    package let channels: Int
    /// libav's description of the channel layout (`stereo`, `5.1`).
    package let channelLayout: String
    /// The samples per frame, if the codec has a fixed number.
    package let frameSize: Int
    /// The declared encoder delay that a decoder discards at the start, in samples.
    package let initialPadding: Int
    /// The declared padding that a decoder discards at the end, in samples.
    package let trailingPadding: Int
    /// True for cover art.
    package let isAttachedPicture: Bool
    package let isDefault: Bool
    /// True for a commentary or a track for people with impaired hearing or vision.
    package let isAuxiliary: Bool
    /// True for an audio description.
    package let describesVideo: Bool
    /// True for a track for people with impaired hearing.
    package let describesMusicAndSound: Bool
    /// True for subtitles that libav decodes to text.
    package let isText: Bool
    package let isCommentary: Bool
    /// True for subtitles that are always shown, such as translations of foreign dialog.
    package let isForced: Bool
    /// The MPEG-TS programs that contain the stream.
    package let programs: [Int]
    /// The language, as written by the container.
    package let language: String?
    package let title: String?
    /// The codec parameters for a decoder or muxer.
    package internal(set) var parameters = CodecParameters.none

    private enum CodingKeys: String, CodingKey {
        case index, containerID, kind, codec, canDecode, profileName, profile, level, codecTag, timeBase, start,
            duration
        case bitRate, width, height, sampleAspectRatio, averageFrameRate, realFrameRate, rotation, displayMatrix
        case dolbyVision, isInterlaced
        case pixelFormat, reorderDelay, canReorder, colour, sampleRate, channels, channelLayout, frameSize
        case initialPadding, trailingPadding, isAttachedPicture, isDefault, isAuxiliary
        case describesVideo = "describesPicture"
        case describesMusicAndSound = "describesSound"
        case isText, isCommentary, isForced, programs, language, title
    }

    /// Returns the stream with out-of-band configuration, for one described by another process.
    package func with(extradata: [UInt8]) -> StreamInfo {
        var copy = self
        copy.extradata = extradata
        return copy
    }

    /// Returns the stream with another display matrix.
    func with(displayMatrix: [Int32]?) -> StreamInfo {
        var copy = self
        copy.displayMatrix = displayMatrix
        copy.rotation = StreamInfo.rotation(by: displayMatrix)
        return copy
    }

    /// Returns the stream with another average frame rate.
    package func with(averageFrameRate: Rational) -> StreamInfo {
        var copy = self
        copy.averageFrameRate = averageFrameRate
        return copy
    }

    /// Returns the stream with more exact rates and duration.
    package func with(averageFrameRate: Rational?, bitRate: Int64, duration: Rational) -> StreamInfo {
        var copy = self
        copy.averageFrameRate = averageFrameRate.flatMap { Rational($0.libav) }
        copy.bitRate = bitRate
        copy.duration = duration
        copy.parameters = CodecParameters(copying: parameters.pointer, bitRate: bitRate)
        return copy
    }
}

/// libav's codec parameters of a stream, immutable once created.
package final class CodecParameters: @unchecked Sendable {
    // Sendable: written only before `init` returns; libav's readers take it as const.
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    /// The parameters of an unknown stream.
    static let none = CodecParameters()

    private init() {
        guard let made = avcodec_parameters_alloc() else { endWithoutMemory() }
        pointer = made
    }

    /// Makes a deep copy.
    init(copying source: UnsafePointer<AVCodecParameters>, bitRate: Int64? = nil) {
        guard let made = avcodec_parameters_alloc(), avcodec_parameters_copy(made, source) >= 0 else {
            endWithoutMemory()
        }
        if let bitRate { made.pointee.bit_rate = bitRate }
        pointer = made
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
        avcodec_parameters_free(&pointer)
    }

    /// Returns the parameters with another codec tag and, if given, other out-of-band configuration.
    package func with(codecTag: UInt32, extradata: [UInt8]? = nil) -> CodecParameters {
        let copy = CodecParameters(copying: pointer)
        copy.pointer.pointee.codec_tag = codecTag
        if let extradata { copy.replaceExtradata(extradata) }
        return copy
    }

    /// Out-of-band codec configuration.
    package var extradata: [UInt8] {
        guard let bytes = pointer.pointee.extradata else { return [] }
        return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(pointer.pointee.extradata_size)))
    }

    private func replaceExtradata(_ bytes: [UInt8]) {
        av_freep(&pointer.pointee.extradata)
        pointer.pointee.extradata_size = 0
        guard !bytes.isEmpty else { return }
        guard let memory = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            endWithoutMemory()
        }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointer.pointee.extradata_size = Int32(bytes.count)
    }
}
