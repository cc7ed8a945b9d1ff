/// Parts of one second in fragmented MP4, with five H.264 frames each; the first part of a segment has its key frame.
enum MadeParts {
    private static func big(_ value: Int, _ size: Int = 4) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    private static func box(_ type: String, _ body: [UInt8]...) -> [UInt8] {
        let body = body.flatMap(\.self)
        return big(body.count + 8) + Array(type.utf8) + body
    }

    private static let sequenceSet: [UInt8] = [
        0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0xC0, 0x44, 0, 0, 3, 0, 4,
    ]

    /// Frames per second.
    private static let rate = 5

    /// Their initialization section.
    static let initialization: [UInt8] = {
        let sets = [0xE1] + big(16, 2) + sequenceSet + [1] + big(4, 2) + [0x68, 0xCE, 0x3C, 0x80]
        let configuration = box("avcC", [1, 0x42, 0xC0, 0x1E, 0xFF], sets)
        let size = [UInt8](repeating: 0, count: 24) + big(640, 2) + big(360, 2) + [UInt8](repeating: 0, count: 50)
        let entries = box("stsd", big(0), big(1), box("avc1", size, configuration))
        let empty = ["stts", "stsc", "stco"].flatMap { box($0, big(0, 8)) } + box("stsz", big(0, 12))
        let reference = box("dref", big(0), big(1), box("url ", big(1)))
        let media = box(
            "mdia",
            box("mdhd", big(0, 12), big(rate), big(0, 8)),
            box("hdlr", big(0, 8), Array("vide".utf8), big(0, 13)),
            box("minf", box("dinf", reference), box("stbl", entries, empty))
        )
        let track = box("trak", box("tkhd", big(0, 12), big(1), big(0, 68)), media)
        let extends = box("mvex", box("trex", big(0), big(1), big(1), big(1), big(0, 8)))
        let movie = box("moov", box("mvhd", big(0, 12), big(1000), big(0, 84)), track, extends)
        return box("ftyp", Array("iso6".utf8), big(0), Array("iso6cmfc".utf8)) + movie
    }()

    /// A part of a segment of four.
    static func part(_ number: Int, _ index: Int) -> [UInt8] { fragment(number, index..<index + 1) }

    /// A segment of one fragment, with the frames of its parts.
    static func whole(_ number: Int) -> [UInt8] { fragment(number, 0..<4) }

    private static func fragment(_ number: Int, _ parts: Range<Int>) -> [UInt8] {
        let frames = parts.lowerBound * rate..<parts.upperBound * rate
        let samples = frames.map { frame -> [UInt8] in
            [0, 0, 0, 6, frame == 0 ? 0x65 : 0x41, 0x88, 0x84, UInt8(number % 256), UInt8(frame), 0xFF]
        }
        let entries = frames.flatMap { big(10) + big($0 == 0 ? 0x200_0000 : 0x101_0000) }
        func head(_ offset: Int) -> [UInt8] {
            box(
                "moof",
                box("mfhd", big(0), big(number * 4 + parts.lowerBound)),
                box(
                    "traf",
                    box("tfhd", big(0x2_0000), big(1)),
                    box("tfdt", big(0), big((number * 4 * rate) + frames.lowerBound)),
                    box("trun", big(0x601), big(frames.count), big(offset), entries)
                )
            )
        }
        return head(head(0).count + 8) + box("mdat", samples.flatMap(\.self))
    }
}
