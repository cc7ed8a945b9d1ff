/// A file of Presentation Graphic Stream subtitles with one filled rectangle at a time.
struct PGSFile {
    /// A rectangle on the canvas, in pixels.
    struct Box {
        var x = 32
        var y = 64
        var width = 64
        var height = 16
        /// The color as Y, Cr, and Cb.
        var colour: [UInt8] = [235, 128, 128]
        var alpha: UInt8 = 255
    }

    var canvas = (width: 128, height: 96)
    /// The rectangle from each time on, in seconds; nil clears the screen.
    var boxes: [(time: Double, box: Box?)]

    /// The bytes, as libav's demuxer `sup` reads them.
    var bytes: [UInt8] {
        boxes.enumerated().flatMap { number, entry in
            let time = UInt32(entry.time * 90000)
            var segments = [Self.segment(0x16, composition(number, entry.box), at: time)]
            if let box = entry.box {
                let size = Self.word(box.width) + Self.word(box.height)
                let window = [1, 0] + Self.word(box.x) + Self.word(box.y) + size
                segments.append(Self.segment(0x17, window, at: time))
                segments.append(Self.segment(0x14, [0, 0, 1] + box.colour + [box.alpha], at: time))
                let image = Self.lines(box)
                let length = image.count + 4
                let head: [UInt8] = [0, 0, 0, 0xc0, UInt8(length >> 16)] + Self.word(length & 0xffff)
                segments.append(Self.segment(0x15, head + size + image, at: time))
            }
            segments.append(Self.segment(0x80, [], at: time))
            return segments.flatMap { $0 }
        }
    }

    private func composition(_ number: Int, _ box: Box?) -> [UInt8] {
        let head = Self.word(canvas.width) + Self.word(canvas.height) + [0x10] + Self.word(number)
        guard let box else { return head + [0, 0, 0, 0] }
        return head + [0x80, 0, 0, 1, 0, 0, 0, 0] + Self.word(box.x) + Self.word(box.y)
    }

    /// Run-length coded lines of color 1.
    private static func lines(_ box: Box) -> [UInt8] {
        let run = [0, 0xc0 | UInt8(box.width >> 8), UInt8(box.width & 0xff), 1]
        return (0..<box.height).flatMap { _ in run + [0, 0] }
    }

    private static func segment(_ kind: UInt8, _ content: [UInt8], at time: UInt32) -> [UInt8] {
        let stamp = (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) }
        return Array("PG".utf8) + stamp + [0, 0, 0, 0, kind] + word(content.count) + content
    }

    private static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
}
