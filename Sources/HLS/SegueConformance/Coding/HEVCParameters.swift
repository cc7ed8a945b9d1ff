internal import SegueContainers
internal import SeguePlaylists

/// The profile, tier, and level of HEVC in the form of `CODECS` (ISO/IEC 14496-15, E.3).
struct HEVCProfile {
    let words: String

    /// Parses the 12 bytes that configurations and parameter sets have in common.
    init?(_ bytes: ArraySlice<UInt8>) {
        let all = Array(bytes.prefix(12))
        guard all.count == 12 else { return nil }
        let space = ["", "A", "B", "C"][Int(all[0] >> 6)]
        var flags: UInt32 = 0
        for place in 0..<4 { flags = flags << 8 | UInt32(all[1 + place]) }
        var reversed: UInt32 = 0
        for place in 0..<32 where flags >> UInt32(place) & 1 == 1 { reversed |= 1 << UInt32(31 - place) }
        var constraints = Array(all[5..<11])
        while constraints.last == 0 { constraints.removeLast() }
        let fields =
            ["\(space)\(all[0] & 31)", String(reversed, radix: 16), (all[0] & 0x20 == 0 ? "L" : "H") + "\(all[11])"]
            + constraints.map { String($0, radix: 16, uppercase: true) }
        words = fields.joined(separator: ".")
    }
}

/// The parsed fields of an HEVC sequence parameter set (ISO/IEC 23008-2, 7.3.2.2).
struct HEVCSequence {
    private(set) var number = 0
    private(set) var setup = CodingSetup()

    /// Parses a NAL unit of the base layer.
    init(_ unit: ArraySlice<UInt8>) throws(BitReader.End) {
        let head = unit.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        guard head >> 3 & 63 == 0 else { throw BitReader.End() }
        var reader = BitReader(unit: unit, headLength: 2)
        try reader.skip(4)
        let layers = try reader.bits(3) + 1
        try reader.skip(1)
        var profile: [UInt8] = []
        for _ in 0..<12 { try profile.append(UInt8(reader.bits(8))) }
        try Self.skipLayers(&reader, layers)
        number = try reader.golomb()
        let chroma = try reader.golomb()
        if chroma == 3 { try reader.skip(1) }
        var (width, height) = try (reader.golomb(), reader.golomb())
        guard width <= 65_536, height <= 65_536 else { throw BitReader.End() }
        if try reader.flag() {
            let edges = try (reader.golomb(), reader.golomb(), reader.golomb(), reader.golomb())
            width -= (edges.0 + edges.1) * (chroma == 1 || chroma == 2 ? 2 : 1)
            height -= (edges.2 + edges.3) * (chroma == 1 ? 2 : 1)
        }
        guard width > 0, height > 0 else { throw BitReader.End() }
        setup.size = Resolution(width: width, height: height)
        setup.codec = HEVCProfile(profile[...]).map { "hvc1." + $0.words }
        try? readUsability(&reader, layers)
    }

    private static func skipLayers(_ reader: inout BitReader, _ layers: Int) throws(BitReader.End) {
        guard layers > 1 else { return }
        var flags: [(profile: Bool, level: Bool)] = []
        for _ in 1..<layers { try flags.append((reader.flag(), reader.flag())) }
        try reader.skip(2 * (9 - layers))
        for layer in flags { try reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    }

    /// Skips the fields between the size and the usability information, and reads the latter.
    private mutating func readUsability(_ reader: inout BitReader, _ layers: Int) throws(BitReader.End) {
        _ = try (reader.golomb(), reader.golomb())
        let orderBits = try reader.golomb() + 4
        for _ in 0..<(try reader.flag() ? layers : 1) {
            _ = try (reader.golomb(), reader.golomb(), reader.golomb())
        }
        for _ in 0..<6 { _ = try reader.golomb() }
        if try reader.flag(), try reader.flag() { try Self.skipScaling(&reader) }
        try reader.skip(2)
        if try reader.flag() {
            try reader.skip(8)
            _ = try (reader.golomb(), reader.golomb())
            try reader.skip(1)
        }
        try Self.skipReferences(&reader)
        if try reader.flag() {
            for _ in 0..<(try min(32, reader.golomb())) { try reader.skip(orderBits + 1) }
        }
        try reader.skip(2)
        if try reader.flag() { try Usability.read(&reader, &setup) }
    }

    private static func skipScaling(_ reader: inout BitReader) throws(BitReader.End) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try reader.flag() else {
                    _ = try reader.golomb()
                    continue
                }
                if size > 1 { _ = try reader.golomb() }
                for _ in 0..<min(64, 1 << (4 + size << 1)) { _ = try reader.golomb() }
            }
        }
    }

    /// Skips the short-term reference picture sets, which may be predicted from the previous one.
    private static func skipReferences(_ reader: inout BitReader) throws(BitReader.End) {
        let count = try reader.golomb()
        guard count <= 64 else { throw BitReader.End() }
        var deltas = 0
        for index in 0..<count {
            var isPredicted = false
            if index > 0 { isPredicted = try reader.flag() }
            if isPredicted {
                try reader.skip(1)
                _ = try reader.golomb()
                var kept = 0
                for _ in 0...deltas {
                    let isUsed = try reader.flag()
                    var isKept = isUsed
                    if !isUsed { isKept = try reader.flag() }
                    kept += isKept ? 1 : 0
                }
                deltas = kept
            } else {
                deltas = try reader.golomb() + reader.golomb()
                guard deltas <= 32 else { throw BitReader.End() }
                for _ in 0..<deltas {
                    _ = try reader.golomb()
                    try reader.skip(1)
                }
            }
        }
    }
}
