internal import CSegueFFmpeg
package import SegueBase

/// An image of bitmap subtitles.
package struct SubtitleImage: Sendable, Hashable {
    /// The left edge on the canvas, in pixels.
    package let x: Int
    /// The upper edge on the canvas, in pixels.
    package let y: Int
    package let width: Int
    package let height: Int
    /// The pixels in reading order, as `0xAARRGGBB` with independent alpha.
    package let pixels: [UInt32]

    package init(x: Int, y: Int, width: Int, height: Int, pixels: [UInt32]) {
        precondition(pixels.count == width * height)
        (self.x, self.y, self.width, self.height, self.pixels) = (x, y, width, height, pixels)
    }
}

/// A decoder for bitmap subtitles.
package final class ImageSubtitleDecoder {
    /// The images on the screen from some time on; none clears the screen.
    package struct Event: Sendable {
        /// The start on the stream's timeline, in seconds.
        package let start: Rational
        /// The end, in seconds; nil if only the next event ends it.
        package let end: Rational?
        package let images: [SubtitleImage]
        /// The size of the canvas, in pixels; nil if the stream does not declare one.
        package let canvas: (width: Int, height: Int)?

        /// Returns the event at a later or, for a negative time, earlier place, in seconds.
        package func moved(by time: Rational) -> Event {
            Event(start: start + time, end: end.map { $0 + time }, images: images, canvas: canvas)
        }
    }

    /// The maximum side of an image, in pixels.
    private static let greatestSide = 8192
    /// The maximum number of images of an event; PGS has two and DVB few regions.
    private static let greatestCount = 64

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let timeBase: Rational
    private let file: String

    /// Opens libav's decoder for a stream; errors name `file`.
    package init(stream: StreamInfo, file: String) throws(MediaError) {
        context = try stream.openedDecoder(file: file)
        timeBase = stream.timeBase
        self.file = file
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&freed)
    }

    /// Decodes a packet; nil if it completes no event, or has no timestamp.
    package func decode(_ packet: Packet) throws(MediaError) -> Event? {
        var subtitle = AVSubtitle()
        var isThere: Int32 = 0
        let code = avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.pointer)
        try check(code, call: "avcodec_decode_subtitle2", file: file)
        guard isThere != 0 else { return nil }
        defer { avsubtitle_free(&subtitle) }
        let decoded = subtitle.pts == ffs_no_timestamp ? nil : Rational(subtitle.pts, 1_000_000)
        guard let time = decoded ?? packet.pts.map({ Rational($0) * timeBase }) else { return nil }
        let (start, end) = (subtitle.start_display_time, subtitle.end_display_time)
        let isEnding = end > start && end < UInt32.max
        let duration = packet.duration > 0 ? Rational(packet.duration) * timeBase : nil
        let (width, height) = (Int(context.pointee.width), Int(context.pointee.height))
        return Event(
            start: time + Rational(Int64(start), 1000),
            end: isEnding ? time + Rational(Int64(end), 1000) : duration.map { time + $0 },
            images: images(of: subtitle),
            canvas: width > 0 && height > 0 ? (width, height) : nil
        )
    }

    private func images(of subtitle: AVSubtitle) -> [SubtitleImage] {
        guard let rectangles = subtitle.rects else { return [] }
        return (0..<min(Self.greatestCount, Int(subtitle.num_rects))).compactMap { number in
            rectangles[number].flatMap { Self.image($0.pointee) }
        }
    }

    private static func image(_ area: AVSubtitleRect) -> SubtitleImage? {
        let sides = 1...Int32(greatestSide)
        guard area.type == SUBTITLE_BITMAP, sides.contains(area.w), sides.contains(area.h), area.linesize.0 >= area.w,
            abs(Int(area.x)) <= greatestSide, abs(Int(area.y)) <= greatestSide,
            let indices = area.data.0, let palette = area.data.1
        else { return nil }
        let (width, height) = (Int(area.w), Int(area.h))
        // libav allocates all 256 entries of a palette.
        let colours = UnsafeRawPointer(palette)
        var pixels = [UInt32](repeating: 0, count: width * height)
        for line in 0..<height {
            let row = indices + line * Int(area.linesize.0)
            for column in 0..<width {
                let entry = 4 * Int(row[column])
                pixels[line * width + column] = colours.loadUnaligned(fromByteOffset: entry, as: UInt32.self)
            }
        }
        return SubtitleImage(x: Int(area.x), y: Int(area.y), width: width, height: height, pixels: pixels)
    }
}
