internal import CSegueFFmpeg
internal import SegueBase

/// A decoder for text subtitles.
package final class SubtitleDecoder {
    /// A subtitle text with its display interval.
    package struct Event: Sendable, Hashable {
        /// The text in Advanced SubStation Alpha markup: override codes in braces, `\N` for a line break.
        package let text: String
        /// The name of the style in ``SubtitleDecoder/header``.
        package let style: String
        /// The start, in milliseconds after the packet's timestamp.
        package let delay: Int
        /// The end, in milliseconds after the packet's timestamp; nil if the packet's duration applies.
        package let end: Int?
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String

    /// Opens libav's decoder for a stream; errors name `file`.
    package init(stream: StreamInfo, file: String) throws(MediaError) {
        context = try stream.openedDecoder(file: file)
        self.file = file
    }

    /// The header of the texts in Advanced SubStation Alpha, with their styles.
    package var header: String {
        guard let bytes = context.pointee.subtitle_header, context.pointee.subtitle_header_size > 0 else { return "" }
        let count = Int(context.pointee.subtitle_header_size)
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freed)
    }

    /// Decodes a packet into texts in order; bitmap subtitles give none.
    package func decode(_ packet: Packet) throws(MediaError) -> [Event] {
        var subtitle = AVSubtitle()
        var isThere: Int32 = 0
        let code = avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.pointer)
        try check(code, call: "avcodec_decode_subtitle2", file: file)
        guard isThere != 0 else { return [] }
        defer { avsubtitle_free(&subtitle) }
        guard let rectangles = subtitle.rects else { return [] }
        let end = subtitle.end_display_time
        return (0..<Int(subtitle.num_rects)).compactMap { number in
            guard let line = rectangles[number]?.pointee.ass else { return nil }
            // The text follows the read order and seven other fields.
            let fields = String(cString: line)
                .split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            guard fields.count == 9 else { return nil }
            return Event(
                text: String(fields[8]),
                style: String(fields[2]),
                delay: Int(subtitle.start_display_time),
                end: end > 0 && end < UInt32.max ? Int(end) : nil
            )
        }
    }
}
