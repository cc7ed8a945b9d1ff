internal import SegueConcurrency
import CSegueFFmpeg
package import SegueBase

/// What a stream carries.
package enum StreamKind: String, Sendable, CaseIterable, Codable {
    case audio, video, subtitle, data, attachment, unknown
}

/// What a container says about one of its streams, and what libav's probing added.
///
/// Written for another process it is described alone: what takes a decoder or a muxer stays behind.
package struct StreamInfo: Sendable, Codable {
    /// The stream's number in its file, from 0.
    package let index: Int
    /// The container's own number for it (a TS PID, an MP4 track ID); 0 where it has none.
    package let containerID: Int
    /// What it carries.
    package let kind: StreamKind
    /// libav's short name of the codec (`h264`, `aac`, `pcm_s16le`); `none` when unknown.
    package let codec: String
    /// True if this libav can decode it.
    package let canDecode: Bool
    /// The name of the profile (`High`, `LC`), where the codec has profiles.
    package let profileName: String?
    /// libav's number of the profile; negative when unknown.
    package let profile: Int
    /// The level as the codec writes it; negative when unknown.
    package let level: Int
    /// The codec tag, four characters as a little-endian number; 0 when there is none.
    package let codecTag: UInt32
    /// Out-of-band codec configuration (avcC, hvcC, AudioSpecificConfig, Vorbis headers).
    package internal(set) var extradata: [UInt8] = []
    /// The unit of the stream's timestamps, in seconds.
    package let timeBase: Rational
    /// The claimed first timestamp, in seconds.
    package let start: Rational?
    /// The claimed duration, in seconds.
    package internal(set) var duration: Rational?
    /// The claimed bit rate, in bits per second; 0 when unknown.
    package internal(set) var bitRate: Int64
    /// Frame width in pixels; 0 for anything but frames.
    package let width: Int
    /// Frame height in pixels.
    package let height: Int
    /// The shape of a pixel, width by height; nil when unknown or square is assumed.
    package let sampleAspectRatio: Rational?
    /// Frames per second on average.
    package internal(set) var averageFrameRate: Rational?
    /// The lowest frame rate that holds all timestamps exactly, as libav guesses.
    package let realFrameRate: Rational?
    /// Clockwise rotation for display, in degrees: 0, 90, 180 or 270 for right angles.
    package let rotation: Double
    /// The nine numbers of the matrix that turns, mirrors and shifts the frame for display; nil when there is none.
    package let displayMatrix: [Int32]?
    /// libav's name of the pixel format.
    package let pixelFormat: String?
    /// The number of frames the decoder holds back to reorder them.
    package let reorderDelay: Int
    /// True if the codec can show frames in another order than that of decoding.
    package let canReorder: Bool
    /// What the numbers in the frame mean, as libav's options for an encoder (`colorspace`, `color_range`).
    package let colour: [String: String]
    /// Samples per second.
    package let sampleRate: Int
    /// The number of channels.
    package let channels: Int
    /// libav's words for the channel layout (`stereo`, `5.1`).
    package let channelLayout: String
    /// Samples in one frame, where the codec has a fixed number.
    package let frameSize: Int
    /// Samples of encoder delay that a decoder drops at the start, as the container declares.
    package let initialPadding: Int
    /// Samples that a decoder drops at the end, as the container declares.
    package let trailingPadding: Int
    /// True if it is cover art: one frame, not a film.
    package let isAttachedPicture: Bool
    /// True if the container marks it as the default one.
    package let isDefault: Bool
    /// True if it is made for people who do not hear or see well, or is a commentary.
    package let isAuxiliary: Bool
    /// True if it tells people who do not see well what is shown.
    package let describesPicture: Bool
    /// True if it is made for people who do not hear well.
    package let describesSound: Bool
    /// True if it is subtitles that libav makes text of.
    package let isText: Bool
    /// True if people talk about the film in it.
    package let isCommentary: Bool
    /// True if it is to be shown to everybody, such as the translation of what is said in a foreign language.
    package let isForced: Bool
    /// The programs (TS) that it belongs to.
    package let programs: [Int]
    /// The language, as the container writes it.
    package let language: String?
    /// The title of the stream.
    package let title: String?
    /// Everything a decoder or a muxer needs to know of the stream.
    package internal(set) var parameters = CodecParameters.none

    private enum CodingKeys: CodingKey {
        case index, containerID, kind, codec, canDecode, profileName, profile, level, codecTag, timeBase, start,
            duration
        case bitRate, width, height, sampleAspectRatio, averageFrameRate, realFrameRate, rotation, displayMatrix
        case pixelFormat, reorderDelay, canReorder, colour, sampleRate, channels, channelLayout, frameSize
        case initialPadding, trailingPadding, isAttachedPicture, isDefault, isAuxiliary, describesPicture,
            describesSound
        case isText, isCommentary, isForced, programs, language, title
    }

    /// The same stream with out-of-band configuration, for one that was described by another process.
    package func with(extradata: [UInt8]) -> StreamInfo {
        var copy = self
        copy.extradata = extradata
        return copy
    }

    /// The same stream with what is known better of its rates and its length.
    ///
    /// - Parameters:
    ///   - averageFrameRate: Frames per second on average; rounded as libav does.
    ///   - bitRate: Bits per second.
    ///   - duration: The duration that is claimed, in seconds.
    /// - Returns: The stream.
    package func with(averageFrameRate: Rational?, bitRate: Int64, duration: Rational) -> StreamInfo {
        var copy = self
        copy.averageFrameRate = averageFrameRate.flatMap { Rational($0.libav) }
        copy.bitRate = bitRate
        copy.duration = duration
        copy.parameters = CodecParameters(copying: parameters.pointer, bitRate: bitRate)
        return copy
    }
}

/// libav's codec parameters of one stream; never changed once made.
package final class CodecParameters: @unchecked Sendable {
    // Sendable: the pointee is written only before `init` returns, and libav's readers take it as const.
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    /// Those of a stream of which nothing is known.
    static let none = CodecParameters()

    private init() {
        guard let made = avcodec_parameters_alloc() else { endWithoutMemory() }
        pointer = made
    }

    /// A deep copy of a stream's parameters.
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

    /// The same parameters with another codec tag, and other out-of-band configuration if some is given.
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
