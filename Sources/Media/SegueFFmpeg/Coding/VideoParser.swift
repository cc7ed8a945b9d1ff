internal import SegueConcurrency
import CSegueFFmpeg

/// Reads the headers of coded frames, without decoding them.
package final class VideoParser {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>

    /// A parser for a stream of frames, one whole frame a packet; nil when libav has none for its codec.
    package init?(stream: StreamInfo) {
        startLibAV()
        let parameters = stream.parameters.pointer
        guard let made = avcodec_alloc_context3(nil) else { endWithoutMemory() }
        guard avcodec_parameters_to_context(made, parameters) >= 0,
            let parser = av_parser_init(Int32(bitPattern: parameters.pointee.codec_id.rawValue))
        else {
            var freed: UnsafeMutablePointer<AVCodecContext>? = made
            avcodec_free_context(&freed)
            return nil
        }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        self.parser = parser
        context = made
    }

    deinit {
        av_parser_close(parser)
        var freed: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freed)
    }

    /// The number by which a frame is ordered for showing, among those since the last keyframe.
    ///
    /// Packets have to come in the order of the stream. Only codecs that write such a number give one that means
    /// anything: H.264 and HEVC.
    package func outputNumber(of packet: Packet) -> Int {
        var output: UnsafeMutablePointer<UInt8>?
        var size: Int32 = 0
        _ = av_parser_parse2(
            parser,
            context,
            &output,
            &size,
            packet.pointer.pointee.data,
            packet.pointer.pointee.size,
            ffs_no_timestamp,
            ffs_no_timestamp,
            packet.position
        )
        return Int(parser.pointee.output_picture_number)
    }
}
