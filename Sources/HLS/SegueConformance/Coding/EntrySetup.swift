internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// The coding of a track by its sample entry.
struct EntrySetup {
    private(set) var setup = CodingSetup()
    /// The parameter sets; nil if the codec has none.
    private(set) var sets: ParameterSets?
    /// The size of a NAL unit length in bytes.
    private(set) var lengthSize = 4
    /// The size in the fields of the entry itself.
    private(set) var entrySize: Resolution?
    /// The transfer characteristics of the parameter sets.
    private(set) var innerTransfer: Int?
    /// True if encrypted samples have their own initialization vectors.
    private(set) var hasVectors = true

    /// True if samples may have other parameter sets than the sample entry.
    var allowsSets: Bool { ["avc3", "hev1", "dvav", "dvhe"].contains { setup.codec?.hasPrefix($0) == true } }

    init(_ entry: SampleEntry, isVideo: Bool, isAudio: Bool) {
        let boxes = entry.boxes(behind: isAudio ? .audio : isVideo ? .visual : .other)
        let isEncrypted = entry.type == "encv" || entry.type == "enca"
        let format = isEncrypted ? SampleEntry.original(in: boxes) ?? entry.type : entry.type
        if let body = BoxReader.first(["sinf", "schi", "tenc"], in: boxes) {
            hasVectors = body.dropFirst(7).first.map { $0 > 0 } ?? true
        }
        if isVideo { readVideo(entry, format, in: boxes) } else { readAudio(entry, format, in: boxes) }
    }

    /// Turns the display size by a quarter if a track's matrix does.
    mutating func apply(trackHead: ArraySlice<UInt8>) {
        var reader = ByteReader(trackHead)
        guard let version = reader.byte(), reader.skip(version == 1 ? 51 : 39), let across = reader.integer(4),
            let down = reader.integer(4)
        else { return }
        let length = { (value: Int) in Int32(truncatingIfNeeded: value).magnitude }
        setup.isOnItsSide = length(down) > length(across)
    }

    private mutating func readVideo(_ entry: SampleEntry, _ format: FourCC, in boxes: ArraySlice<UInt8>) {
        if let size = entry.frameSize, size.width > 0, size.height > 0 {
            entrySize = Resolution(width: size.width, height: size.height)
        }
        switch format {
        case "avc1", "avc3", "dva1", "dvav": readAVC(format, boxes)
        case "hvc1", "hev1", "dvh1", "dvhe": readHEVC(format, boxes)
        case "av01": setup.codec = BoxReader.first("av1C", in: boxes).flatMap(Self.av1) ?? "av01"
        case "vp08", "vp09":
            let fields = BoxReader.first("vpcC", in: boxes).flatMap(Self.vp)
            setup.codec = format.description + (fields.map { "." + $0 } ?? "")
        default: setup.codec = format.description
        }
        innerTransfer = setup.transfer
        setup.size = setup.size ?? entrySize
        if let body = BoxReader.first("pasp", in: boxes) {
            var reader = ByteReader(body)
            if let width = reader.integer(4), let height = reader.integer(4), width > 0, height > 0 {
                setup.pixelShape = Rational(Int64(width), Int64(height))
            }
        }
        guard let color = BoxReader.first("colr", in: boxes) else { return }
        var reader = ByteReader(color)
        guard let kind = reader.code(), kind == "nclx" || kind == "nclc", reader.skip(2),
            let transfer = reader.integer(2)
        else { return }
        setup.transfer = transfer
    }

    private mutating func readAVC(_ format: FourCC, _ boxes: ArraySlice<UInt8>) {
        setup.codec = format.description
        guard let body = BoxReader.first("avcC", in: boxes) else { return }
        var reader = ByteReader(body)
        guard reader.skip(1), let profile = reader.slice(3), let length = reader.byte(), let count = reader.byte()
        else { return }
        lengthSize = length & 3 + 1
        var sets = ParameterSets(isHEVC: false)
        Self.readUnits(count & 31, from: &reader, into: &sets)
        if let count = reader.byte() { Self.readUnits(count, from: &reader, into: &sets) }
        if let inner = sets.setup { setup = inner }
        setup.codec = AccessUnitHead.codec(profile).map { format.description + $0.dropFirst(4) }
        if let dolby = Self.dolbyVision(boxes), format != "avc1", format != "avc3" {
            setup.codec = format.description + dolby
        }
        self.sets = sets
    }

    private mutating func readHEVC(_ format: FourCC, _ boxes: ArraySlice<UInt8>) {
        setup.codec = format.description
        guard let body = BoxReader.first("hvcC", in: boxes) else { return }
        var reader = ByteReader(body)
        guard reader.skip(1), let profile = reader.slice(12), reader.skip(8), let length = reader.byte(),
            let arrays = reader.byte()
        else { return }
        lengthSize = length & 3 + 1
        var sets = ParameterSets(isHEVC: true)
        for _ in 0..<arrays {
            guard reader.skip(1), let count = reader.integer(2) else { break }
            Self.readUnits(count, from: &reader, into: &sets)
        }
        if let inner = sets.setup { setup = inner }
        setup.codec = HEVCProfile(profile).map { "\(format.description).\($0.words)" }
        if format == "dvh1" || format == "dvhe" {
            setup.codec = Self.dolbyVision(boxes).map { format.description + $0 } ?? setup.codec
        }
        self.sets = sets
    }

    private static func readUnits(_ count: Int, from reader: inout ByteReader, into sets: inout ParameterSets) {
        for _ in 0..<count {
            guard let size = reader.integer(2), let unit = reader.slice(size) else { return }
            sets.add(unit)
        }
    }

    /// The profile and level of Dolby Vision, such as `.05.06`.
    private static func dolbyVision(_ boxes: ArraySlice<UInt8>) -> String? {
        guard let body = BoxReader.first("dvcC", in: boxes) ?? BoxReader.first("dvvC", in: boxes) else { return nil }
        var reader = BitReader(body.dropFirst(2))
        guard let profile = try? reader.bits(7), let level = try? reader.bits(6) else { return nil }
        return "." + [profile, level].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ".")
    }

    private static func av1(_ body: ArraySlice<UInt8>) -> String? {
        let bytes = Array(body.prefix(3))
        guard bytes.count == 3 else { return nil }
        let (level, flags) = (bytes[1] & 31, bytes[2])
        let depth = flags & 0x40 == 0 ? "08" : flags & 0x20 == 0 ? "10" : "12"
        let sampling = "\(flags >> 3 & 1)\(flags >> 2 & 1)\(flags >> 3 & flags >> 2 & 1 == 1 ? flags & 3 : 0)"
        return "av01.\(bytes[1] >> 5).\(level < 10 ? "0" : "")\(level)\(flags & 0x80 == 0 ? "M" : "H").\(depth)"
            + ".\(flags >> 4 & 1).\(sampling)"
    }

    private static func vp(_ body: ArraySlice<UInt8>) -> String? {
        let bytes = Array(body.dropFirst(4).prefix(6)).map(Int.init)
        guard bytes.count == 6 else { return nil }
        return ([bytes[0], bytes[1], bytes[2] >> 4, bytes[2] >> 1 & 7] + bytes[3...] + [bytes[2] & 1])
            .map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ".")
    }

    private mutating func readAudio(_ entry: SampleEntry, _ format: FourCC, in boxes: ArraySlice<UInt8>) {
        setup.codec = format.description
        switch format {
        case "mp4a": readElementary(boxes)
        case "ac-3": BoxReader.first("dac3", in: boxes).map { setup = AudioSetup.dolby($0, isEnhanced: false) }
        case "ec-3": BoxReader.first("dec3", in: boxes).map { setup = AudioSetup.dolby($0, isEnhanced: true) }
        case "Opus":
            setup.channels = BoxReader.first("dOps", in: boxes)?.dropFirst().first.map(Int.init)
            setup.sampleRate = 48000
        case "fLaC":
            var reader = BitReader(BoxReader.first("dfLa", in: boxes)?.dropFirst(8) ?? [])
            guard (try? reader.skip(80)) != nil, let rate = try? reader.bits(20), let channels = try? reader.bits(3)
            else { return }
            (setup.sampleRate, setup.channels) = (rate > 0 ? rate : nil, channels + 1)
        case "alac":
            var reader = ByteReader(BoxReader.first("alac", in: boxes) ?? [])
            guard reader.skip(4), let length = reader.integer(4), reader.skip(5), let channels = reader.byte(),
                reader.skip(10), let rate = reader.integer(4)
            else { return }
            (setup.frameLength, setup.channels, setup.sampleRate) = (length, channels, rate)
        case ".mp3": (setup.codec, setup.channels) = ("mp4a.40.34", entry.channelCount)
        default: break
        }
    }

    private mutating func readElementary(_ boxes: ArraySlice<UInt8>) {
        guard let descriptor = BoxReader.first("esds", in: boxes).flatMap(ElementaryDescriptor.init) else { return }
        // Object type and, for AAC, the audio object type.
        if descriptor.objectType == 0x40, let decoder = descriptor.decoder, let audio = AudioSetup.advanced(decoder) {
            setup = audio
        } else {
            setup.codec = "mp4a." + String(descriptor.objectType, radix: 16)
        }
    }
}
