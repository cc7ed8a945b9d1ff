internal import SegueConcurrency
import CSegueFFmpeg
package import SegueBase

/// The common part of all encoders.
package final class EncoderCore {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String

    /// Opens an encoder after `configure` has set its video or audio format.
    ///
    /// - Parameters:
    ///   - name: libav's name of the encoder.
    ///   - file: The output file for errors; nil if there is none, which also allows experimental encoders.
    ///   - globalHeader: Writes the codec configuration out of band.
    ///   - options: libav's options for this encoder.
    ///   - configure: Configures the encoder before it is opened.
    /// - Throws: ``MediaError`` if the encoder is missing or rejects the format or an option.
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
                message: "libavcodec was built without the encoder \(name)"
            )
        }
        guard let made = avcodec_alloc_context3(codec) else { endWithoutMemory() }
        do throws(MediaError) {
            if globalHeader { made.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
            made.pointee.thread_count = 1
            if file == nil {
                made.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
            } else {
                // Output must not depend on libav's version.
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
                    message: "unknown encoder option: \(opened.unused.joined(separator: ", "))"
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

    /// Encodes a frame, or drains the encoder if nil, and passes each packet to `body`.
    func encode(_ frame: Frame?, _ body: (Packet) throws -> Void) throws {
        try send(frame)
        let packet = Packet()
        while try take(packet) { try body(packet) }
    }

    /// Sends a frame to the encoder; nil signals the end.
    func send(_ frame: Frame?) throws(MediaError) {
        try check(avcodec_send_frame(context, frame?.pointer), call: "avcodec_send_frame", file: file)
    }

    /// Receives the next packet; returns false if none is ready.
    func take(_ packet: Packet) throws(MediaError) -> Bool {
        let code = avcodec_receive_packet(context, packet.pointer)
        if code == ffs_error_again || code == ffs_error_eof { return false }
        try check(code, call: "avcodec_receive_packet", file: file)
        return true
    }

    /// The output's codec parameters.
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

/// An encoder whose output a muxer can write.
package protocol StreamEncoder: AnyObject {
    /// The output's codec parameters.
    var parameters: CodecParameters { get }
    /// The unit of the packets' timestamps, in seconds.
    var packetTimeBase: Rational { get }
}
