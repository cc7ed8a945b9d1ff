internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// The parsed fields of an H.264 sequence parameter set (ISO/IEC 14496-10, 7.3.2.1).
struct AVCSequence {
    private(set) var number = 0
    private(set) var setup = CodingSetup()
    /// False if frames may be coded as fields.
    private(set) var isFramesOnly = true
    private(set) var frameNumberBits = 4
    private(set) var hasSeparatePlanes = false

    private static let withChroma: Set<Int> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    /// Parses a NAL unit.
    init(_ unit: ArraySlice<UInt8>) throws(BitReader.End) {
        var reader = BitReader(unit: unit, headLength: 1)
        let profile = try reader.bits(8)
        try reader.skip(16)
        number = try reader.golomb()
        var chroma = 1
        if Self.withChroma.contains(profile) { chroma = try readChroma(&reader) }
        frameNumberBits = try min(16, reader.golomb() + 4)
        try Self.skipOrder(&reader)
        _ = try reader.golomb()
        try reader.skip(1)
        let (across, down) = try (reader.golomb() + 1, reader.golomb() + 1)
        isFramesOnly = try reader.flag()
        if !isFramesOnly { try reader.skip(1) }
        try reader.skip(1)
        guard across <= 4096, down <= 4096 else { throw BitReader.End() }
        var (width, height) = (across * 16, down * 16 * (isFramesOnly ? 1 : 2))
        if try reader.flag() {
            let planar = chroma == 0 || hasSeparatePlanes
            let unitX = planar || chroma == 3 ? 1 : 2
            let unitY = (planar || chroma != 1 ? 1 : 2) * (isFramesOnly ? 1 : 2)
            let edges = try (reader.golomb(), reader.golomb(), reader.golomb(), reader.golomb())
            width -= (edges.0 + edges.1) * unitX
            height -= (edges.2 + edges.3) * unitY
        }
        guard width > 0, height > 0 else { throw BitReader.End() }
        setup.size = Resolution(width: width, height: height)
        setup.codec = AccessUnitHead.codec(unit.dropFirst().prefix(3))
        // The usability information is optional, even if it is truncated.
        if try reader.flag() { try? Usability.read(&reader, &setup) }
    }

    private mutating func readChroma(_ reader: inout BitReader) throws(BitReader.End) -> Int {
        let chroma = try reader.golomb()
        if chroma == 3 { hasSeparatePlanes = try reader.flag() }
        _ = try (reader.golomb(), reader.golomb())
        try reader.skip(1)
        guard try reader.flag() else { return chroma }
        for list in 0..<(chroma == 3 ? 12 : 8) where try reader.flag() {
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                next = try (last + reader.signedGolomb() + 256) & 255
                last = next == 0 ? last : next
            }
        }
        return chroma
    }

    private static func skipOrder(_ reader: inout BitReader) throws(BitReader.End) {
        switch try reader.golomb() {
        case 0: _ = try reader.golomb()
        case 1:
            try reader.skip(1)
            _ = try (reader.golomb(), reader.golomb())
            for _ in 0..<(try min(255, reader.golomb())) { _ = try reader.golomb() }
        default: break
        }
    }
}

/// The common start of the video usability information of H.264 and HEVC.
enum Usability {
    private static let shapes: [(Int64, Int64)] = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
        (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]

    static func read(_ reader: inout BitReader, _ setup: inout CodingSetup) throws(BitReader.End) {
        if try reader.flag() {
            let shape = try reader.bits(8)
            if shape == 255 {
                let (width, height) = try (Int64(reader.bits(16)), Int64(reader.bits(16)))
                if width > 0, height > 0 { setup.pixelShape = Rational(width, height) }
            } else if (1...16).contains(shape) {
                setup.pixelShape = Rational(shapes[shape - 1].0, shapes[shape - 1].1)
            }
        }
        if try reader.flag() { try reader.skip(1) }
        guard try reader.flag() else { return }
        try reader.skip(4)
        guard try reader.flag() else { return }
        try reader.skip(8)
        setup.transfer = try reader.bits(8)
    }
}
