/// The minimum of fragmented MP4 that rules read, with one changeable fault.
enum MadeMovie {
    static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { big(body.count + 8, 4) + Array(type.utf8) + body }

    /// H.264 of 640 by 360 pixels; its parameter sets have the ID 0.
    static let sequenceSet: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0xC0, 0x44, 0, 0, 3, 0, 4]
    static let pictureSet: [UInt8] = [0x68, 0xCE, 0x3C, 0x80]

    /// A change to the initialization section.
    struct Options {
        var brands = ["iso6", "cmfc"]
        var hasTypeFirst = true
        var hasExtendsFirst = false
        var duration = 0
        var isExternal = false
        var edits: [(Int, Int)] = []
        var size = (640, 360)
        var entry = "avc1"
        /// True for a sample entry of encrypted samples before that of clear ones.
        var isEncrypted = false
    }

    static func initialization(scale: UInt8 = 25, _ options: Options = Options()) -> [UInt8] {
        let configuration =
            [1, 0x42, 0xC0, 0x1E, 0xFF, 0xE1] + big(sequenceSet.count, 2) + sequenceSet + [1] + big(pictureSet.count, 2)
            + pictureSet
        var visual = [UInt8](repeating: 0, count: 78)
        visual.replaceSubrange(24..<28, with: big(options.size.0, 2) + big(options.size.1, 2))
        let clear = visual + box("avcC", configuration)
        let scheme = box(
            "sinf",
            box("frma", Array("avc1".utf8)) + box("schi", box("tenc", big(0, 7) + [8] + big(0, 16)))
        )
        let entries = (options.isEncrypted ? box("encv", clear + scheme) : []) + box(options.entry, clear)
        let description = box("stsd", big(0, 4) + big(options.isEncrypted ? 2 : 1, 4) + entries)
        let tables = box(
            "stbl",
            description + ["stts", "stsc", "stco"].flatMap { box($0, big(0, 8)) } + box("stsz", big(0, 12))
        )
        let reference = box("dref", big(0, 4) + big(1, 4) + box("url ", big(options.isExternal ? 0 : 1, 4)))
        let media =
            box("mdhd", big(0, 12) + big(Int(scale), 4) + big(0, 8))
            + box("hdlr", big(0, 8) + Array("vide".utf8) + big(0, 13))
            + box("minf", box("dinf", reference) + tables)
        let list = box(
            "elst",
            big(0, 4) + big(options.edits.count, 4)
                + options.edits.flatMap { big($0.0, 4) + big($0.1, 4) + big(0x10000, 4) }
        )
        let edits = options.edits.isEmpty ? [] : box("edts", list)
        let track = box(
            "trak",
            box("tkhd", big(0, 12) + big(1, 4) + big(0, 4) + big(options.duration, 4) + big(0, 60)) + edits
                + box("mdia", media)
        )
        let extends = box("mvex", box("trex", big(0, 4) + big(1, 4) + big(1, 4) + big(1, 4) + big(0, 8)))
        let head = box("mvhd", big(0, 12) + big(1000, 4) + big(options.duration, 4) + big(0, 80))
        let movie = box("moov", head + (options.hasExtendsFirst ? extends + track : track + extends))
        let type = box("ftyp", Array(options.brands[0].utf8) + big(0, 4) + options.brands.flatMap { Array($0.utf8) })
        return options.hasTypeFirst ? type + movie : movie + type
    }

    /// An initialization section of AAC of 48 kHz.
    static func sound(scale: Int) -> [UInt8] {
        let decoder: [UInt8] = [0x05, 2, 0x11, 0x90]
        let configuration = [0x04, UInt8(13 + decoder.count), 0x40, 0x15] + big(0, 11) + decoder
        let descriptor = [0x03, UInt8(3 + configuration.count), 0, 1, 0] + configuration
        let entry = box(
            "mp4a",
            big(0, 6) + big(1, 2) + big(0, 8) + big(2, 2) + big(16, 2) + big(0, 4) + big(48_000, 2) + big(0, 2)
                + box("esds", big(0, 4) + descriptor)
        )
        let tables = box(
            "stbl",
            box("stsd", big(0, 4) + big(1, 4) + entry) + ["stts", "stsc", "stco"].flatMap { box($0, big(0, 8)) }
                + box("stsz", big(0, 12))
        )
        let reference = box("dref", big(0, 4) + big(1, 4) + box("url ", big(1, 4)))
        let media =
            box("mdhd", big(0, 12) + big(scale, 4) + big(0, 8))
            + box("hdlr", big(0, 8) + Array("soun".utf8) + big(0, 13))
            + box("minf", box("dinf", reference) + tables)
        let track = box("trak", box("tkhd", big(0, 12) + big(1, 4) + big(0, 68)) + box("mdia", media))
        let extends = box("mvex", box("trex", big(0, 4) + big(1, 4) + big(1, 4) + big(1024, 4) + big(0, 8)))
        let head = box("mvhd", big(0, 12) + big(1000, 4) + big(0, 84))
        return box("ftyp", Array("iso6".utf8) + big(0, 4)) + box("moov", head + track + extends)
    }

    /// A key frame, after its length.
    static let frame: [UInt8] = [0, 0, 0, 6, 0x65, 0x88, 0x84, 0, 0x10, 0xFF]

    /// A change to a segment.
    struct Fragment {
        var track = 1
        var hasTime = true
        var headFlags = 0x2_0000
        /// The number of the sample entry; nil for the default.
        var description: Int?
        var dataOffset: Int?
        var offset = 0
        /// The composition offsets and the flags of the samples; nil for `offset` and the default flags.
        var offsets: [Int]?
        var flags: [Int]?
        var samples = [MadeMovie.frame]
        var hasData = true
        var before: [UInt8] = []
        var after: [UInt8] = []
    }

    static func segment(_ fragment: Fragment = Fragment()) -> [UInt8] {
        let base: [UInt8] = fragment.headFlags & 1 != 0 ? big(0, 8) : []
        let flags = fragment.headFlags | (fragment.description == nil ? 0 : 2)
        let entry = fragment.description.map { big($0, 4) } ?? []
        let head = box("tfhd", big(flags, 4) + big(fragment.track, 4) + base + entry)
        let time = fragment.hasTime ? box("tfdt", big(0, 4) + big(250, 4)) : []
        let make = { (offset: Int) in
            let entries = fragment.samples.enumerated().flatMap { index, sample in
                big(sample.count, 4) + (fragment.flags.map { big($0[index], 4) } ?? [])
                    + big(fragment.offsets?[index] ?? fragment.offset, 4)
            }
            let run = box(
                "trun",
                big(fragment.flags == nil ? 0xA01 : 0xE01, 4) + big(fragment.samples.count, 4) + big(offset, 4)
                    + entries
            )
            return box("moof", box("mfhd", big(0, 4) + big(1, 4)) + box("traf", head + time + run))
        }
        let length = make(0).count
        let data = fragment.hasData ? box("mdat", fragment.samples.flatMap { $0 }) : []
        return fragment.before + make(fragment.dataOffset ?? length + 8) + data + fragment.after
    }
}
