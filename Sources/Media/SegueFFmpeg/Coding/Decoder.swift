internal import CSegueFFmpeg
internal import SegueBase

/// A decoder of one stream.
package final class Decoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String

    /// Opens libav's decoder for a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream to decode.
    ///   - file: The file name for errors.
    ///   - threads: The maximum number of threads for video; audio uses one.
    ///   - options: libav's options for the decoder.
    /// - Throws: ``MediaError`` if libav has no decoder for the stream or rejects its configuration.
    package init(
        stream: StreamInfo,
        file: String,
        threads: Int = 1,
        options: [String: String] = [:]
    ) throws(MediaError) {
        context = try stream.openedDecoder(file: file, threads: threads, options: options)
        self.file = file
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freed)
    }

    /// Decodes a packet and passes each frame to `body`.
    ///
    /// - Parameters:
    ///   - packet: The packet; nil drains the decoder.
    ///   - opaque: The value of ``Frame/opaque`` in the resulting frames.
    ///   - body: Receives the frames in presentation order; the frame is reused after it returns.
    /// - Throws: ``MediaError`` if the packet cannot be decoded; later packets may succeed.
    package func decode(_ packet: Packet?, opaque: Int64 = 0, _ body: (Frame) throws -> Void) throws {
        MediaWork.count()
        let codec = context.pointee.codec_id
        if let packet, codec == AV_CODEC_ID_AMR_NB || codec == AV_CODEC_ID_AMR_WB {
            for frame in packet.framesOfAMR(isWide: codec == AV_CODEC_ID_AMR_WB) {
                try send(frame, opaque: opaque, body)
            }
        } else {
            try send(packet, opaque: opaque, body)
        }
    }

    private func send(_ packet: Packet?, opaque: Int64, _ body: (Frame) throws -> Void) throws {
        context.pointee.reordered_opaque = opaque
        let frame = Frame()
        var failure = avcodec_send_packet(context, packet?.pointer)
        if failure == ffs_error_eof { failure = 0 }
        while true {
            let code = avcodec_receive_frame(context, frame.pointer)
            if code == ffs_error_again || code == ffs_error_eof { break }
            try check(code, call: "avcodec_receive_frame", file: file)
            try frame.limitSamples()
            try body(frame)
        }
        try check(failure, call: "avcodec_send_packet", file: file)
    }

    /// Discards the decoder's state, as needed after a seek.
    package func flush() { avcodec_flush_buffers(context) }

    /// The reorder delay in frames, as far as the decoder has seen.
    package var reorderDelay: Int { Int(context.pointee.has_b_frames) }
}
