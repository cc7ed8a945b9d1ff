internal import CSegueFFmpeg
package import SegueBase

package final class VideoEncoder: StreamEncoder {
    private let core: EncoderCore
    /// The unit of input and output timestamps, in seconds.
    package let timeBase: Rational
    /// The required pixel format of frames.
    package let pixelFormat: String

    /// The pixel layout, timing, and rate of an encoder's input and output.
    package struct Format: Sendable {
        let width: Int
        let height: Int
        let pixelFormat: String?
        let timeBase: Rational
        let frameRate: Rational?
        /// Bits per second; nil leaves it to the options.
        package var bitRate: Int64?
        /// The maximum keyframe distance, in frames.
        package var keyframeInterval: Int?
        /// The maximum number of consecutive B-frames; nil leaves it to the encoder.
        package var bFrames: Int?
        /// The pixel aspect ratio; nil means square.
        package var sampleAspectRatio: Rational?

        /// Creates a format.
        ///
        /// - Parameters:
        ///   - width: The frame width in pixels.
        ///   - height: The frame height in pixels.
        ///   - pixelFormat: The pixel format of frames; nil selects the encoder's first choice.
        ///   - timeBase: The unit of frame timestamps, in seconds.
        ///   - frameRate: Frames per second, for rate control and headers; nil if variable.
        ///   - configure: Sets the other properties.
        package init(
            width: Int,
            height: Int,
            pixelFormat: String? = nil,
            timeBase: Rational,
            frameRate: Rational? = nil,
            configure: (inout Format) -> Void = { _ in }
        ) {
            (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
            (self.timeBase, self.frameRate) = (timeBase, frameRate)
            configure(&self)
        }
    }

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - name: libav's name (`libx264`, `mpeg4`, `prores_ks`).
    ///   - format: The format to encode.
    ///   - globalHeader: Writes the codec configuration out of band.
    ///   - options: libav's options for this encoder (`preset`, `crf`, `x264-params`).
    /// - Throws: ``MediaError`` if the encoder is missing or rejects the format or an option.
    package init(
        named name: String,
        format: Format,
        globalHeader: Bool = true,
        options: [String: String] = [:]
    ) throws(MediaError) {
        core = try EncoderCore(named: name, globalHeader: globalHeader, options: options) { context, codec in
            context.pointee.width = Int32(format.width)
            context.pointee.height = Int32(format.height)
            context.pointee.pix_fmt =
                format.pixelFormat.map { av_get_pix_fmt($0) }
                ?? codec.pointee.pix_fmts.map { $0.pointee } ?? AV_PIX_FMT_YUV420P
            context.pointee.time_base = format.timeBase.libav
            if let frameRate = format.frameRate { context.pointee.framerate = frameRate.libav }
            if let bitRate = format.bitRate { context.pointee.bit_rate = bitRate }
            if let keyframeInterval = format.keyframeInterval { context.pointee.gop_size = Int32(keyframeInterval) }
            if let bFrames = format.bFrames { context.pointee.max_b_frames = Int32(bFrames) }
            if let sampleAspectRatio = format.sampleAspectRatio {
                context.pointee.sample_aspect_ratio = sampleAspectRatio.libav
            }
        }
        self.timeBase = format.timeBase
        self.pixelFormat = av_get_pix_fmt_name(core.context.pointee.pix_fmt).map { String(cString: $0) } ?? ""
    }

    package var parameters: CodecParameters { core.parameters }
    package var packetTimeBase: Rational { timeBase }

    /// Encodes a frame (nil drains the encoder) and passes each packet to `body`.
    ///
    /// - Parameters:
    ///   - frame: The frame, with its timestamp in ``timeBase``.
    ///   - forceKey: Makes the frame a keyframe.
    ///   - body: Receives each packet, which is reused after it returns.
    /// - Throws: ``MediaError``, or what `body` throws.
    package func encode(_ frame: Frame?, forceKey: Bool = false, _ body: (Packet) throws -> Void) throws {
        frame?.pointer.pointee.pict_type = forceKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try core.encode(frame, body)
    }
}
