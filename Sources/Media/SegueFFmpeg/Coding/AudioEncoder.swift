internal import CSegueFFmpeg
package import SegueBase

/// Encodes audio with any of libav's encoders.
///
/// Timestamps in and out count samples: the time base is one sample.
package final class AudioEncoder: StreamEncoder {
    /// How an encoder spends its bits.
    package enum Quality: Sendable, Equatable {
        /// At a rate, in bits per second.
        case bitRate(Int64)
        /// At a fixed quality; libav's `global_quality` before its scaling (`-q:a`).
        case fixed(Double)
        /// As the encoder likes.
        case encoderDefault
    }

    private let core: EncoderCore
    /// The sample format that frames must have.
    package let sampleFormat: String
    /// Samples per second.
    package let sampleRate: Int
    /// The channels that frames must have.
    package let layout: ChannelLayout
    /// Samples in every frame but the last; 0 when any number may be given.
    package let frameSize: Int
    /// Samples of delay that the encoder puts before the first one given.
    package let initialPadding: Int

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - name: libav's name (`aac`, `libmp3lame`, `pcm_s16le`).
    ///   - sampleRate: Samples per second.
    ///   - layout: The channels.
    ///   - sampleFormat: What frames will have; nil takes the encoder's first choice.
    ///   - quality: How it spends its bits.
    ///   - globalHeader: True if the muxer wants the configuration out of band.
    ///   - options: libav's options for this encoder.
    /// - Throws: ``MediaError`` if there is no such encoder or it refuses the format or an option.
    package init(
        named name: String,
        sampleRate: Int,
        layout: ChannelLayout,
        sampleFormat: String? = nil,
        quality: Quality = .encoderDefault,
        globalHeader: Bool = true,
        options: [String: String] = [:]
    ) throws(MediaError) {
        core = try EncoderCore(named: name, globalHeader: globalHeader, options: options) {
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

    /// The sample rates that an encoder takes; empty when it takes any.
    package static func sampleRates(of name: String) -> [Int] {
        guard let rates = avcodec_find_encoder_by_name(name)?.pointee.supported_samplerates else { return [] }
        var result: [Int] = []
        while rates[result.count] != 0 { result.append(Int(rates[result.count])) }
        return result
    }

    package var parameters: CodecParameters { core.parameters }
    package var packetTimeBase: Rational { Rational(1, Int64(sampleRate)) }

    /// Encodes a frame (nil drains the encoder) and lends each packet that comes out.
    package func encode(_ frame: Frame?, _ body: (Packet) throws -> Void) throws {
        try core.encode(frame, body)
    }
}
