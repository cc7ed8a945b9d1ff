internal import CFFmpeg
package import Timeline

/// What both encoders share: one libav encoder, opened with options, fed frames, emptied of packets.
package final class EncoderCore {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let name: String

    /// Opens an encoder after `configure` has set its picture or sound format.
    init(
        named name: String,
        globalHeader: Bool,
        options: [String: String],
        configure: (UnsafeMutablePointer<AVCodecContext>, UnsafePointer<AVCodec>) throws(MediaError) -> Void
    ) throws(MediaError) {
        startLibAV()
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                call: "avcodec_find_encoder_by_name",
                file: name,
                code: ffs_error_encoder_not_found,
                message: "this libav has no encoder \(name)"
            )
        }
        guard let made = avcodec_alloc_context3(codec) else { endWithoutMemory() }
        do throws(MediaError) {
            if globalHeader { made.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
            made.pointee.thread_count = 1
            made.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
            try configure(made, codec)
            let opened = withOptions(options) { avcodec_open2(made, codec, &$0) }
            try check(opened.result, "avcodec_open2", name)
            guard opened.unused.isEmpty else {
                throw MediaError(
                    call: "avcodec_open2",
                    file: name,
                    code: ffs_error_option_not_found,
                    message: "the encoder has no option \(opened.unused.joined(separator: ", "))"
                )
            }
        } catch {
            var freed: UnsafeMutablePointer<AVCodecContext>? = made
            avcodec_free_context(&freed)
            throw error
        }
        context = made
        self.name = name
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freed)
    }

    /// Encodes one frame, or drains what the encoder holds back, and lends each packet that comes out.
    func encode(_ frame: Frame?, _ body: (Packet) throws -> Void) throws {
        try check(avcodec_send_frame(context, frame?.pointer), "avcodec_send_frame", name)
        let packet = Packet()
        while true {
            let code = avcodec_receive_packet(context, packet.pointer)
            if code == ffs_error_again || code == ffs_error_eof { break }
            try check(code, "avcodec_receive_packet", name)
            try body(packet)
        }
    }

    /// The parameters of what comes out, for a muxer or a decoder.
    var parameters: CodecParameters {
        guard let made = avcodec_parameters_alloc(), avcodec_parameters_from_context(made, context) >= 0 else {
            endWithoutMemory()
        }
        defer {
            var freed: UnsafeMutablePointer<AVCodecParameters>? = made
            avcodec_parameters_free(&freed)
        }
        return CodecParameters(copying: made)
    }

    var timeBase: Rational { Rational(context.pointee.time_base) ?? Rational(1) }
}

/// An encoder that a muxer can take a stream from.
package protocol StreamEncoder: AnyObject {
    /// The parameters of what comes out.
    var parameters: CodecParameters { get }
    /// The unit of the packets' timestamps, in seconds.
    var packetTimeBase: Rational { get }
}
