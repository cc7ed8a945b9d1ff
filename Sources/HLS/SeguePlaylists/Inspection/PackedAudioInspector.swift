internal import SegueBase
internal import SegueContainers

/// Inspects packed audio: frames of one codec after an ID3 tag with their timestamp (RFC 8216, 3.4).
enum PackedAudioInspector {
    private static let owner = "com.apple.streaming.transportStreamTimestamp"

    /// Returns the content; nil if no audio frame follows the ID3 tags.
    static func inspect(_ bytes: ArraySlice<UInt8>) -> SegmentInspection? {
        var rest = bytes
        var time: Int64?
        while let tag = ID3Tag(rest) {
            time = time ?? tag.timestamp
            rest = rest.dropFirst(tag.size)
        }
        guard let first = AudioFrame(rest) else { return nil }
        var (samples, frames) = (0, 0)
        var position = rest
        while let frame = AudioFrame(position), frame.codec == first.codec, frame.size <= position.count {
            samples += frame.samples
            frames += 1
            position = position.dropFirst(frame.size)
        }
        // One frame may be chance; two in a row, or one that is all there is, are not.
        guard frames > 1 || frames == 1 && position.isEmpty else { return nil }
        var track = SegmentTrack(number: 0, kind: .audio, codec: first.codec)
        track.samples = frames
        track.duration = Rational(Int64(samples), Int64(first.sampleRate))
        track.start = time.map { Rational($0, 90_000) }
        track.decodeStart = track.start
        return SegmentInspection(layout: .packedAudio, tracks: [track], hasInitialization: false, hasMedia: true)
    }

    /// An ID3v2 tag at the start of some bytes.
    private struct ID3Tag {
        let size: Int
        let timestamp: Int64?

        init?(_ bytes: ArraySlice<UInt8>) {
            var reader = ByteReader(bytes)
            guard bytes.starts(with: Array("ID3".utf8)), reader.skip(3), let version = reader.byte(), reader.skip(1),
                let flags = reader.byte(), let length = Self.synchsafe(&reader)
            else { return nil }
            size = min(bytes.count, 10 + length + (flags & 0x10 != 0 ? 10 : 0))
            var frames = ByteReader(bytes.dropFirst(10).prefix(length))
            var timestamp: Int64?
            while timestamp == nil, let name = frames.code(),
                let length = version == 4 ? Self.synchsafe(&frames) : frames.integer(4), frames.skip(2),
                let body = frames.slice(length)
            {
                if name == "PRIV" { timestamp = Self.timestamp(body) }
            }
            self.timestamp = timestamp
        }

        private static func synchsafe(_ reader: inout ByteReader) -> Int? {
            guard let bytes = reader.slice(4), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return bytes.reduce(0) { $0 << 7 | Int($1) }
        }

        private static func timestamp(_ body: ArraySlice<UInt8>) -> Int64? {
            guard body.starts(with: Array((owner + "\0").utf8)) else { return nil }
            var reader = ByteReader(body.dropFirst(owner.utf8.count + 1))
            return reader.unsigned(8).map { Int64($0 & (1 << 33 - 1)) }
        }
    }
}

/// The header of an ADTS, MPEG audio, AC-3, or E-AC-3 frame.
package struct AudioFrame {
    /// The number of bytes that a header needs.
    package static let headLength = 7

    /// The short name of the codec.
    package let codec: String
    /// The frame size in bytes, more than 0.
    package let size: Int
    /// The number of samples per channel; 0 for a dependent frame.
    package let samples: Int
    /// The sample rate, more than 0.
    package let sampleRate: Int

    private init?(_ codec: String, size: Int?, samples: Int, sampleRate: Int) {
        guard let size, size > 0 else { return nil }
        (self.codec, self.size, self.samples, self.sampleRate) = (codec, size, samples, sampleRate)
    }

    /// Parses the frame that starts at the first byte; nil if there is none.
    package init?(_ bytes: ArraySlice<UInt8>) {
        let header = Array(bytes.prefix(Self.headLength))
        guard header.count == Self.headLength, let frame = Self.read(header.map(Int.init)) else { return nil }
        self = frame
    }

    private static func read(_ header: [Int]) -> AudioFrame? {
        if header[0] == 0x0B, header[1] == 0x77 { return header[5] >> 3 <= 10 ? ac3(header) : enhancedAC3(header) }
        guard header[0] == 0xFF, header[1] & 0xE0 == 0xE0 else { return nil }
        return header[1] & 0xF6 == 0xF0 ? adts(header) : mpegAudio(header)
    }

    private static func adts(_ header: [Int]) -> AudioFrame? {
        let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
        let index = header[2] >> 2 & 15
        guard index < rates.count else { return nil }
        let size = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
        let blocks = header[6] & 3 + 1
        return AudioFrame("aac", size: size >= 7 ? size : nil, samples: 1024 * blocks, sampleRate: rates[index])
    }

    private static func mpegAudio(_ header: [Int]) -> AudioFrame? {
        let (version, layer) = (header[1] >> 3 & 3, 4 - (header[1] >> 1 & 3))
        let (rateIndex, bitRateIndex, padding) = (header[2] >> 2 & 3, header[2] >> 4, header[2] >> 1 & 1)
        guard version != 1, layer != 4, rateIndex != 3, (1...14).contains(bitRateIndex) else { return nil }
        let sampleRate = [44100, 48000, 32000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let isFirstVersion = version == 3
        let kilobits = bitRates[isFirstVersion ? layer - 1 : layer == 1 ? 3 : 4][bitRateIndex - 1]
        if layer == 1 {
            let size = (12 * kilobits * 1000 / sampleRate + padding) * 4
            return AudioFrame("mp1", size: size, samples: 384, sampleRate: sampleRate)
        }
        let samples = layer == 3 && !isFirstVersion ? 576 : 1152
        let size = samples / 8 * kilobits * 1000 / sampleRate + padding
        return AudioFrame(layer == 2 ? "mp2" : "mp3", size: size, samples: samples, sampleRate: sampleRate)
    }

    /// Bit rates in kbit/s: MPEG-1 layers 1 to 3, then MPEG-2 layer 1, then MPEG-2 layers 2 and 3.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    private static func ac3(_ header: [Int]) -> AudioFrame? {
        let kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
        let (rateIndex, sizeIndex) = (header[4] >> 6, header[4] & 63)
        guard rateIndex != 3, sizeIndex / 2 < kilobits.count else { return nil }
        let rate = kilobits[sizeIndex / 2]
        // 16-bit words a frame (ATSC A/52, table 5.18); at 44.1 kHz odd indices have one more.
        let words = [2 * rate, rate * 320 / 147 + sizeIndex & 1, 3 * rate][rateIndex]
        return AudioFrame("ac3", size: 2 * words, samples: 1536, sampleRate: [48000, 44100, 32000][rateIndex])
    }

    private static func enhancedAC3(_ header: [Int]) -> AudioFrame? {
        guard (11...16).contains(header[5] >> 3) else { return nil }
        let size = 2 * ((header[2] & 7) << 8 | header[3]) + 2
        let rateIndex = header[4] >> 6
        let isDependent = header[2] >> 6 == 1
        if rateIndex == 3 {
            let halfIndex = header[4] >> 4 & 3
            guard halfIndex != 3 else { return nil }
            let rate = [24000, 22050, 16000][halfIndex]
            return AudioFrame("eac3", size: size, samples: isDependent ? 0 : 1536, sampleRate: rate)
        }
        let blocks = [1, 2, 3, 6][header[4] >> 4 & 3]
        let rate = [48000, 44100, 32000][rateIndex]
        return AudioFrame("eac3", size: size, samples: isDependent ? 0 : 256 * blocks, sampleRate: rate)
    }
}
