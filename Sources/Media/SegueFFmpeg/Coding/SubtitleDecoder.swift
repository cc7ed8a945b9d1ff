internal import CSegueFFmpeg
internal import SegueBase

/// Decodes the packets of one stream of text subtitles.
package final class SubtitleDecoder {
    /// What is shown for a while.
    package struct Event: Sendable, Hashable {
        /// The text as the Advanced SubStation Alpha format writes it: override codes in braces, `\N` for a new line.
        package let text: String
        /// When it appears, in milliseconds after its packet's time.
        package let delay: Int
        /// When it goes, in milliseconds after its packet's time; nil where only the packet's duration says it.
        package let end: Int?
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String

    /// Opens libav's decoder for a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream, whose configuration the decoder takes.
    ///   - file: What to call the file in errors.
    /// - Throws: ``MediaError`` if libav has no decoder for it or refuses the configuration.
    package init(stream: StreamInfo, file: String) throws(MediaError) {
        context = try stream.openedDecoder(file: file)
        self.file = file
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freed)
    }

    /// Decodes one packet.
    ///
    /// - Parameter packet: The packet.
    /// - Returns: The texts that it shows, in order; none for frames.
    /// - Throws: ``MediaError`` if the packet cannot be decoded; later packets may still be.
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
            // The read order and seven more fields come before the text.
            let fields = String(cString: line)
                .split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            guard fields.count == 9 else { return nil }
            return Event(
                text: String(fields[8]),
                delay: Int(subtitle.start_display_time),
                end: end > 0 && end < UInt32.max ? Int(end) : nil
            )
        }
    }
}
