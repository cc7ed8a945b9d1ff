internal import SegueConcurrency
import CSegueFFmpeg

/// A parser of coded frame headers.
package final class VideoParser {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>

    /// Creates a parser for packets of one frame each; nil if libav has none for the codec.
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

    /// A packet's content.
    package enum Structure: Sendable { case frame, topField, bottomField }

    /// Returns the frame's display order number since the last keyframe.
    ///
    /// Packets must arrive in stream order. The number is meaningful only for H.264 and HEVC.
    package func outputNumber(of packet: Packet) -> Int {
        parse(packet)
        return Int(parser.pointee.output_picture_number)
    }

    /// Returns whether a packet is a frame or one of its fields.
    ///
    /// Packets must arrive in stream order.
    package func structure(of packet: Packet) -> Structure {
        parse(packet)
        return switch parser.pointee.picture_structure {
        case AV_PICTURE_STRUCTURE_TOP_FIELD: .topField
        case AV_PICTURE_STRUCTURE_BOTTOM_FIELD: .bottomField
        default: .frame
        }
    }

    private func parse(_ packet: Packet) {
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
    }
}
