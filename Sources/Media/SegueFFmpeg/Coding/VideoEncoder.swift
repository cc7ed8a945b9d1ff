internal import CSegueFFmpeg
package import SegueBase

/// Encodes pictures with any of libav's encoders.
package final class VideoEncoder: StreamEncoder {
    private let core: EncoderCore
    /// The unit of timestamps in and out, in seconds.
    package let timeBase: Rational
    /// The pixel format that pictures must have.
    package let pixelFormat: String

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - name: libav's name (`libx264`, `mpeg4`, `prores_ks`).
    ///   - width: Picture width in pixels.
    ///   - height: Picture height in pixels.
    ///   - pixelFormat: What pictures will have; nil takes the encoder's first choice.
    ///   - timeBase: The unit of the pictures' timestamps, in seconds.
    ///   - frameRate: Frames a second, for rate control and headers; nil when variable.
    ///   - bitRate: Bits a second; nil leaves it to the options.
    ///   - keyframeInterval: The greatest distance of keyframes, in pictures.
    ///   - bFrames: The greatest number of B-frames in a row; nil leaves it to the encoder.
    ///   - sampleAspectRatio: The shape of a pixel; nil is square.
    ///   - globalHeader: Whether the muxer wants the configuration out of band.
    ///   - options: libav's options for this encoder (`preset`, `crf`, `x264-params`).
    /// - Throws: ``MediaError`` when there is no such encoder or it refuses the format or an option.
    package init(
        named name: String,
        width: Int,
        height: Int,
        pixelFormat: String? = nil,
        timeBase: Rational,
        frameRate: Rational? = nil,
        bitRate: Int64? = nil,
        keyframeInterval: Int? = nil,
        bFrames: Int? = nil,
        sampleAspectRatio: Rational? = nil,
        globalHeader: Bool = true,
        options: [String: String] = [:]
    ) throws(MediaError) {
        core = try EncoderCore(named: name, globalHeader: globalHeader, options: options) { context, codec in
            context.pointee.width = Int32(width)
            context.pointee.height = Int32(height)
            context.pointee.pix_fmt =
                pixelFormat.map { av_get_pix_fmt($0) }
                ?? codec.pointee.pix_fmts.map { $0.pointee } ?? AV_PIX_FMT_YUV420P
            context.pointee.time_base = timeBase.libav
            if let frameRate { context.pointee.framerate = frameRate.libav }
            if let bitRate { context.pointee.bit_rate = bitRate }
            if let keyframeInterval { context.pointee.gop_size = Int32(keyframeInterval) }
            if let bFrames { context.pointee.max_b_frames = Int32(bFrames) }
            if let sampleAspectRatio { context.pointee.sample_aspect_ratio = sampleAspectRatio.libav }
        }
        self.timeBase = timeBase
        self.pixelFormat = av_get_pix_fmt_name(core.context.pointee.pix_fmt).map { String(cString: $0) } ?? ""
    }

    package var parameters: CodecParameters { core.parameters }
    package var packetTimeBase: Rational { timeBase }

    /// Encodes a picture (nil drains the encoder) and lends each packet that comes out.
    ///
    /// - Parameters:
    ///   - frame: The picture, its time in ``timeBase``.
    ///   - forceKey: Makes this picture one that decoding can begin with.
    ///   - body: Gets each packet; it is used again after `body` returns.
    /// - Throws: ``MediaError``, or what `body` throws.
    package func encode(_ frame: Frame?, forceKey: Bool = false, _ body: (Packet) throws -> Void) throws {
        frame?.pointer.pointee.pict_type = forceKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try core.encode(frame, body)
    }
}
