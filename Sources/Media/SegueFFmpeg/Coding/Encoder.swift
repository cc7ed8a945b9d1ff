internal import SegueConcurrency
import CSegueFFmpeg
package import SegueBase

/// What all encoders share: one libav encoder, opened with options, fed frames, emptied of packets.
package final class EncoderCore {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String

    /// Opens an encoder after `configure` has set its frame or audio format.
    ///
    /// - Parameters:
    ///   - name: libav's name of the encoder.
    ///   - file: The file that is written, which errors name; nil for none, and for the encoder's experimental parts.
    ///   - globalHeader: True if the muxer wants the configuration out of band.
    ///   - options: libav's options for this encoder.
    ///   - configure: Sets up the encoder before it is opened.
    /// - Throws: ``MediaError`` if there is no such encoder or it refuses the format or an option.
    init(
        named name: String,
        for file: String? = nil,
        globalHeader: Bool,
        options: [String: String],
        configure: (UnsafeMutablePointer<AVCodecContext>, UnsafePointer<AVCodec>) throws(MediaError) -> Void
    ) throws(MediaError) {
        startLibAV()
        let call = file == nil ? "avcodec_open2" : "avcodec_open2 \(name)"
        self.file = file ?? name
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                call: "avcodec_find_encoder_by_name",
                file: self.file,
                code: ffs_error_encoder_not_found,
                message: "this libav has no encoder \(name)"
            )
        }
        guard let made = avcodec_alloc_context3(codec) else { endWithoutMemory() }
        do throws(MediaError) {
            if globalHeader { made.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
            made.pointee.thread_count = 1
            if file == nil {
                made.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
            } else {
                // A file that is made again is to be the same, whatever libav's version.
                made.pointee.flags |= ffs_codec_flag_bitexact
            }
            try configure(made, codec)
            let opened = withOptions(options) { avcodec_open2(made, codec, &$0) }
            try check(opened.result, call: call, file: self.file)
            guard opened.unused.isEmpty else {
                throw MediaError(
                    call: call,
                    file: self.file,
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
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freed)
    }

    /// Encodes one frame, or drains what the encoder holds back, and lends each packet that comes out.
    func encode(_ frame: Frame?, _ body: (Packet) throws -> Void) throws {
        try send(frame)
        let packet = Packet()
        while try take(packet) { try body(packet) }
    }

    /// Gives the encoder a frame; nil says that no more follow.
    func send(_ frame: Frame?) throws(MediaError) {
        try check(avcodec_send_frame(context, frame?.pointer), call: "avcodec_send_frame", file: file)
    }

    /// Takes the next packet that has come out; tells whether there was one.
    func take(_ packet: Packet) throws(MediaError) -> Bool {
        let code = avcodec_receive_packet(context, packet.pointer)
        if code == ffs_error_again || code == ffs_error_eof { return false }
        try check(code, call: "avcodec_receive_packet", file: file)
        return true
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
