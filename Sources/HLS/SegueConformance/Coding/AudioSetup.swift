internal import SegueContainers

/// Parsers of audio configurations and frame headers.
enum AudioSetup {
    private static let rates = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]
    private static let channels = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8]

    /// Parses an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
    static func advanced(_ bytes: ArraySlice<UInt8>) -> CodingSetup? {
        var reader = BitReader(bytes.prefix(64))
        var setup = CodingSetup()
        guard (try? read(&reader, &setup)) != nil else { return nil }
        return setup
    }

    private static func read(_ reader: inout BitReader, _ setup: inout CodingSetup) throws(BitReader.End) {
        let first = try type(&reader)
        setup.sampleRate = try rate(&reader)
        setup.channels = try channels[reader.bits(4)]
        var core = first
        if first == 5 || first == 29 {
            _ = try rate(&reader)
            core = try type(&reader)
            setup.saysBandReplication = true
        }
        setup.codec = "mp4a.40.\(first)"
        if first == 29 { setup.channels = 2 }
        guard [1, 2, 3, 4, 6].contains(core) else { return }
        setup.frameLength = try reader.flag() ? 960 : 1024
        guard first == core else { return }
        // A backward-compatible extension may follow.
        try? readExtension(&reader, &setup)
    }

    private static func readExtension(_ reader: inout BitReader, _ setup: inout CodingSetup) throws(BitReader.End) {
        if try reader.flag() { try reader.skip(14) }
        guard try !reader.flag(), try reader.bits(11) == 0x2B7, try type(&reader) == 5 else { return }
        // The extension may also signal that SBR is absent.
        guard try reader.flag() else { return }
        setup.saysBandReplication = true
        _ = try rate(&reader)
        guard try reader.bits(11) == 0x548, try reader.flag() else { return }
        setup.channels = 2
    }

    private static func type(_ reader: inout BitReader) throws(BitReader.End) -> Int {
        let type = try reader.bits(5)
        return try type == 31 ? 32 + reader.bits(6) : type
    }

    private static func rate(_ reader: inout BitReader) throws(BitReader.End) -> Int? {
        let index = try reader.bits(4)
        if index == 15 { return try reader.bits(24) }
        return index < rates.count ? rates[index] : nil
    }

    /// Parses the header of the first frame of a stream.
    static func frames(_ bytes: ArraySlice<UInt8>, codec: String) -> CodingSetup? {
        let head = Array(bytes.prefix(8)).map(Int.init)
        guard head.count == 8 else { return nil }
        var setup = CodingSetup()
        switch codec {
        case "aac":
            guard head[0] == 0xFF, head[1] & 0xF6 == 0xF0, case let index = head[2] >> 2 & 15, index < rates.count
            else { return nil }
            setup.codec = "mp4a.40.\((head[2] >> 6) + 1)"
            (setup.sampleRate, setup.frameLength) = (rates[index], 1024)
            setup.channels = channels[(head[2] & 1) << 2 | head[3] >> 6]
        case "mp3":
            guard head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
            setup.codec = head[1] >> 1 & 3 == 1 ? "mp4a.40.34" : "mp4a.40.33"
            setup.channels = head[3] >> 6 == 3 ? 1 : 2
        case "ac3":
            guard head[0] == 0x0B, head[1] == 0x77, head[5] >> 3 <= 10 else { return nil }
            setup.codec = "ac-3"
            let mode = head[6] >> 5
            let skipped = (mode & 1 == 1 && mode != 1 ? 2 : 0) + (mode & 4 != 0 ? 2 : 0) + (mode == 2 ? 2 : 0)
            setup.channels = surround(mode, hasBass: (head[6] << 8 | head[7]) >> (12 - skipped) & 1 == 1)
        case "eac3":
            guard head[0] == 0x0B, head[1] == 0x77, (11...16).contains(head[5] >> 3) else { return nil }
            setup.codec = "ec-3"
            let size = 2 * ((head[2] & 7) << 8 | head[3]) + 2
            let second = Array(bytes.dropFirst(size).prefix(3))
            // A dependent frame may add channels.
            guard second.count == 3, second[0] == 0x0B, second[2] >> 6 != 1 else { break }
            setup.channels = surround(head[4] >> 1 & 7, hasBass: head[4] & 1 == 1)
        default: return nil
        }
        return setup
    }

    /// Returns the channel count of an AC-3 mode.
    private static func surround(_ mode: Int, hasBass: Bool) -> Int {
        [2, 1, 2, 3, 3, 4, 4, 5][mode] + (hasBass ? 1 : 0)
    }

    /// Parses `dac3` or `dec3` (ETSI TS 102 366, annex F).
    static func dolby(_ bytes: ArraySlice<UInt8>, isEnhanced: Bool) -> CodingSetup {
        var setup = CodingSetup()
        (setup.codec, setup.frameLength) = (isEnhanced ? "ec-3" : "ac-3", 1536)
        var reader = BitReader(bytes)
        try? isEnhanced ? readEnhanced(&reader, &setup) : readDolby(&reader, &setup)
        return setup
    }

    private static func readDolby(_ reader: inout BitReader, _ setup: inout CodingSetup) throws(BitReader.End) {
        setup.sampleRate = try [48000, 44100, 32000, nil][reader.bits(2)]
        try reader.skip(8)
        setup.channels = try surround(reader.bits(3), hasBass: reader.flag())
    }

    private static func readEnhanced(_ reader: inout BitReader, _ setup: inout CodingSetup) throws(BitReader.End) {
        try reader.skip(13)
        let count = try reader.bits(3)
        for stream in 0...count {
            let rate = try [48000, 44100, 32000, nil][reader.bits(2)]
            try reader.skip(10)
            let channels = try surround(reader.bits(3), hasBass: reader.flag())
            try reader.skip(3)
            let dependent = try reader.bits(4)
            try reader.skip(dependent > 0 ? 9 : 1)
            guard stream == 0 else { continue }
            (setup.sampleRate, setup.channels) = (rate, dependent > 0 ? nil : channels)
        }
        guard reader.left >= 16 else { return }
        try reader.skip(7)
        setup.hasObjects = try reader.flag()
    }
}
