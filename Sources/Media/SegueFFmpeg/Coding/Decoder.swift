internal import CSegueFFmpeg
internal import SegueBase

/// Decodes the packets of one stream.
package final class Decoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String

    /// Opens libav's decoder for a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream, whose configuration the decoder takes.
    ///   - file: What to call the file in errors.
    ///   - threads: The number of threads a frame decoder may use; audio is always decoded by one.
    ///   - options: libav's options for the decoder.
    /// - Throws: ``MediaError`` if libav has no decoder for it or refuses the configuration.
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

    /// Decodes one packet and lends each frame that comes out.
    ///
    /// - Parameters:
    ///   - packet: The packet, or nil to drain what the decoder holds back.
    ///   - opaque: Given back in ``Frame/opaque`` of the frames that come of it.
    ///   - body: Gets each frame, in presentation order; the frame is used again after it returns.
    /// - Throws: ``MediaError`` if the packet cannot be decoded; later packets may still be.
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

    /// Forgets all state, as after a jump in the stream.
    package func flush() { avcodec_flush_buffers(context) }

    /// Frames held back for reordering, as the decoder has learnt by now.
    package var reorderDelay: Int { Int(context.pointee.has_b_frames) }
}
