internal import SegueContainers

/// The ADTS header before each AAC frame (ISO/IEC 13818-7).
struct ADTSHeader: Equatable {
    /// The object type minus one.
    var profile: Int
    /// The index in the standard's table of sample rates.
    var rateIndex: Int
    /// The channel configuration; 0 if the frame declares it.
    var channelConfiguration: Int
    /// The header's length: 7, or 9 with a checksum.
    var length: Int

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 7, bytes[0] == 0xff, bytes[1] & 0xf6 == 0xf0 else { return nil }
        profile = Int(bytes[2] >> 6)
        rateIndex = Int(bytes[2] >> 2 & 15)
        channelConfiguration = Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6)
        length = bytes[1] & 1 == 1 ? 7 : 9
        guard rateIndex < AACConfiguration.rates.count else { return nil }
        let frameLength = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
        guard frameLength >= length, frameLength <= bytes.count else { return nil }
    }

    /// Writes a seven-byte header for a raw frame.
    static func write(_ configuration: AACConfiguration, payload: Int, into output: inout [UInt8]) {
        let length = payload + 7
        output.append(0xff)
        output.append(0xf1)
        output.append(
            UInt8((configuration.objectType - 1) & 3) << 6 | UInt8(configuration.rateIndex & 15) << 2
                | UInt8(configuration.channelConfiguration >> 2 & 1)
        )
        output.append(UInt8(configuration.channelConfiguration & 3) << 6 | UInt8(length >> 11 & 3))
        output.append(UInt8(truncatingIfNeeded: length >> 3))
        output.append(UInt8(length & 7) << 5 | 0x1f)
        output.append(0xfc)
    }
}

/// The relevant part of AAC's AudioSpecificConfig (ISO/IEC 14496-3).
struct AACConfiguration: Equatable {
    static let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]

    /// The core's object type (2: LC).
    var objectType: Int
    /// The index of the core's sample rate in the standard's table.
    var rateIndex: Int
    /// The core's channel configuration.
    var channelConfiguration: Int
    /// True if SBR is signaled.
    var hasSBR = false
    /// True if parametric stereo is signaled.
    var hasPS = false
    /// True if a frame has 960 samples instead of 1024.
    var hasShortFrames = false
    /// The samples of a frame of USAC (object type 42, in xHE-AAC); nil for other object types.
    var usacFrame: Int?

    /// The core's sample rate, in hertz.
    var coreRate: Int { AACConfiguration.rates[rateIndex] }

    init(objectType: Int, rateIndex: Int, channelConfiguration: Int) {
        self.objectType = objectType
        self.rateIndex = rateIndex
        self.channelConfiguration = channelConfiguration
    }

    init(_ header: ADTSHeader) {
        self.init(
            objectType: header.profile + 1,
            rateIndex: header.rateIndex,
            channelConfiguration: header.channelConfiguration
        )
    }

    /// Parses a configuration; nil if it is truncated or its sample rate is not in the table.
    init?(_ bytes: [UInt8]) {
        var bits = BitReader(bytes[...])
        guard var type = AACConfiguration.objectType(&bits), let index = AACConfiguration.rateIndex(&bits),
            let channels = try? bits.bits(4)
        else { return nil }
        if type == 5 || type == 29 {
            hasSBR = true
            hasPS = type == 29
            guard AACConfiguration.rateIndex(&bits) != nil, let core = AACConfiguration.objectType(&bits) else {
                return nil
            }
            type = core
        }
        objectType = type
        rateIndex = index
        channelConfiguration = channels
        if [1, 2, 3, 4].contains(type) { hasShortFrames = (try? bits.flag()) == true }
        if type == 42 { usacFrame = AACConfiguration.usacFrame(&bits) }
    }

    /// The configuration of the core: object type, rate, channels.
    var bytes: [UInt8] {
        [
            UInt8(objectType << 3 | rateIndex >> 1), UInt8((rateIndex & 1) << 7 | channelConfiguration << 3),
        ]
    }

    private static func objectType(_ bits: inout BitReader) -> Int? {
        guard let type = try? bits.bits(5) else { return nil }
        if type != 31 { return type }
        return (try? bits.bits(6)).map { $0 + 32 }
    }

    /// The frame length in UsacConfig (ISO/IEC 23003-3, 5.2 and table 72).
    private static func usacFrame(_ bits: inout BitReader) -> Int? {
        guard let rate = try? bits.bits(5), rate != 31 || (try? bits.skip(24)) != nil, let length = try? bits.bits(3)
        else { return nil }
        let lengths = [768, 1024, 2048, 2048, 4096]
        return lengths.indices.contains(length) ? lengths[length] : nil
    }

    private static func rateIndex(_ bits: inout BitReader) -> Int? {
        guard let index = try? bits.bits(4) else { return nil }
        if index < rates.count { return index }
        guard index == 15, let rate = try? bits.bits(24) else { return nil }
        return rates.firstIndex(of: rate)
    }
}

/// The frame header of MPEG audio, layers I to III (ISO/IEC 11172-3, 13818-3).
struct MPEGAudioHeader: Equatable {
    var layer: Int
    var sampleRate: Int
    var channels: Int
    /// The samples per channel.
    var samples: Int

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] & 0xe0 == 0xe0 else { return nil }
        let version = Int(bytes[1] >> 3 & 3)
        layer = 4 - Int(bytes[1] >> 1 & 3)
        let rate = Int(bytes[2] >> 2 & 3)
        guard version != 1, layer != 4, rate != 3 else { return nil }
        let divisor = version == 3 ? 1 : version == 2 ? 2 : 4
        sampleRate = [44100, 48000, 32000][rate] / divisor
        channels = bytes[3] >> 6 == 3 ? 1 : 2
        samples = layer == 1 ? 384 : layer == 3 && version != 3 ? 576 : 1152
    }
}

/// The header of an AC-3 or E-AC-3 frame (ETSI TS 102 366).
package struct AC3Header: Equatable {
    var sampleRate: Int
    /// The standard's code for the full-bandwidth channels.
    var audioCodingMode: Int
    var hasLFE: Bool
    /// The samples per channel.
    package var samples: Int
    var isEnhanced: Bool

    /// Parses a frame header; nil if there is none.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8, bytes[0] == 0x0b, bytes[1] == 0x77 else { return nil }
        isEnhanced = bytes[5] >> 3 > 10
        let code = Int(bytes[4] >> 6)
        if isEnhanced {
            if code == 3 {
                let half = Int(bytes[4] >> 4 & 3)
                guard half < 3 else { return nil }
                sampleRate = [24000, 22050, 16000][half]
                samples = 1536
            } else {
                sampleRate = [48000, 44100, 32000][code]
                samples = 256 * [1, 2, 3, 6][Int(bytes[4] >> 4 & 3)]
            }
            audioCodingMode = Int(bytes[4] >> 1 & 7)
            hasLFE = bytes[4] & 1 == 1
        } else {
            guard code < 3 else { return nil }
            let shift = max(0, Int(bytes[5] >> 3) - 8)
            sampleRate = [48000, 44100, 32000][code] >> shift
            samples = 1536
            audioCodingMode = Int(bytes[6] >> 5)
            var bits = BitReader([UInt8](bytes[6..<8])[...])
            _ = try? bits.bits(3)
            if audioCodingMode & 1 == 1, audioCodingMode != 1 { _ = try? bits.bits(2) }
            if audioCodingMode & 4 != 0 { _ = try? bits.bits(2) }
            if audioCodingMode == 2 { _ = try? bits.bits(2) }
            hasLFE = (try? bits.flag()) == true
        }
    }
}
