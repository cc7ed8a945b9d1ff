internal import CSegueFFmpeg
package import SegueBase

/// An audio encoder.
///
/// Input and output timestamps count samples: the time base is one sample.
package final class AudioEncoder: StreamEncoder {
    /// An encoder's rate control.
    package enum Quality: Sendable, Equatable {
        /// A constant bit rate, in bits per second.
        case bitRate(Int64)
        /// A constant quality: libav's `global_quality` before scaling (`-q:a`).
        case fixed(Double)
        case encoderDefault
    }

    private let core: EncoderCore
    /// The required sample format of frames.
    package let sampleFormat: String
    package let sampleRate: Int
    /// The required channel layout of frames.
    package let layout: ChannelLayout
    /// The number of samples in every frame but the last; 0 for any.
    package let frameSize: Int
    /// The encoder delay before the first sample, in samples.
    package let initialPadding: Int

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - name: libav's name (`aac`, `libmp3lame`, `pcm_s16le`).
    ///   - sampleRate: The sample rate, in hertz.
    ///   - sampleFormat: The sample format of frames; nil selects the encoder's first choice.
    ///   - options: libav's options for this encoder.
    /// - Throws: ``MediaError`` if the encoder is missing or rejects the format or an option.
    package init(
        named name: String,
        sampleRate: Int,
        layout: ChannelLayout,
        sampleFormat: String? = nil,
        quality: Quality = .encoderDefault,
        options: [String: String] = [:]
    ) throws(MediaError) {
        core = try EncoderCore(named: name, globalHeader: true, options: options) {
            (context, codec) throws(MediaError) in
            let format =
                sampleFormat.map { av_get_sample_fmt($0) }
                ?? codec.pointee.sample_fmts.map { $0.pointee } ?? AV_SAMPLE_FMT_S16
            context.pointee.sample_fmt = format
            context.pointee.sample_rate = Int32(sampleRate)
            context.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
            try check(
                av_channel_layout_copy(&context.pointee.ch_layout, layout.pointer),
                call: "av_channel_layout_copy",
                file: name
            )
            switch quality {
            case .bitRate(let rate): context.pointee.bit_rate = rate
            case .fixed(let value):
                context.pointee.flags |= AV_CODEC_FLAG_QSCALE
                context.pointee.global_quality = Int32((value * Double(ffs_quality_scale)).rounded())
            case .encoderDefault: break
            }
        }
        self.sampleFormat = av_get_sample_fmt_name(core.context.pointee.sample_fmt).map { String(cString: $0) } ?? ""
        self.sampleRate = sampleRate
        self.layout = layout
        frameSize = Int(core.context.pointee.frame_size)
        initialPadding = Int(core.context.pointee.initial_padding)
    }

    package var parameters: CodecParameters { core.parameters }
    package var packetTimeBase: Rational { Rational(1, Int64(sampleRate)) }

    /// Encodes a frame (nil drains the encoder) and passes each packet to `body`.
    package func encode(_ frame: Frame?, _ body: (Packet) throws -> Void) throws {
        try core.encode(frame, body)
    }
}
