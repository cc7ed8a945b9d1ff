internal import SegueContainers

/// The layouts of files with samples of constant size: WAV and AIFF.
enum SampleFiles {
    /// Reads WAV, also above 4 GiB (RF64, EBU Tech 3306).
    static func wave(_ bytes: ArraySlice<UInt8>, at origin: Int64, length: Int64?, isAtEnd: Bool) -> LayoutReader.Answer
    {
        var place = bytes.startIndex + 12
        var rate: Int64?
        var longSize: Int64?
        while place + 8 <= bytes.endIndex {
            let name = bytes[place..<place + 4]
            let size = little(bytes, at: place + 4, size: 4)
            let body = place + 8
            if name.elementsEqual("data".utf8) {
                guard let rate, rate > 0 else {
                    return .unusable("the samples precede the description of their format")
                }
                let start = origin + Int64(body - bytes.startIndex)
                var end = start + (size == 0xFFFF_FFFF ? longSize ?? .max / 2 : size)
                if let length, size == 0 || end > length { end = length }
                guard end < .max / 2 else {
                    return .unusable("neither the file nor the server states the length of the file")
                }
                return .found(.even("wav", from: start, to: end, duration: .units(end - start, of: rate)))
            }
            guard body + 16 <= bytes.endIndex else { return .more }
            if name.elementsEqual("fmt ".utf8) { rate = little(bytes, at: body + 8, size: 4) }
            if name.elementsEqual("ds64".utf8) { longSize = little(bytes, at: body + 8, size: 8) }
            guard size <= 16 << 20 else { return .unusable("a chunk of \(size) bytes precedes the samples") }
            place = body + Int(size) + Int(size & 1)
        }
        return .more
    }

    /// Reads AIFF and AIFC with constant compression.
    static func aiff(_ bytes: ArraySlice<UInt8>, at origin: Int64, length: Int64?) -> LayoutReader.Answer {
        var place = bytes.startIndex + 12
        var duration: Duration?
        while place + 8 <= bytes.endIndex {
            var reader = ByteReader(bytes[place...])
            guard let name = reader.code(), let size = reader.integer(4) else { return .more }
            if name == "SSND" {
                guard let duration else { return .unusable("the samples precede the description of their format") }
                let start = origin + Int64(place + 16 - bytes.startIndex)
                let end = min(start + Int64(max(0, size - 8)), length ?? .max)
                return .found(.even("aiff", from: start, to: end, duration: duration))
            }
            if name == "COMM" {
                guard reader.skip(2), let frames = reader.integer(4), reader.skip(2), let exponent = reader.integer(2),
                    let mantissa = reader.unsigned(8)
                else { return .more }
                // An 80-bit number of IEEE 754.
                let shift = 16383 + 63 - exponent & 0x7FFF
                let rate = (0..<64).contains(shift) ? Int64(clamping: mantissa >> UInt64(shift)) : 0
                guard rate > 0 else { return .unusable("the file states \(frames) frames with a rate of 0") }
                // IMA ADPCM counts packets of 64 samples as frames.
                let isPacked = size >= 22 && reader.code() == "ima4"
                duration = .units(Int64(frames) * (isPacked ? 64 : 1), of: rate)
            }
            guard size <= 16 << 20 else { return .unusable("a chunk of \(size) bytes precedes the samples") }
            place += 8 + size + size & 1
        }
        return .more
    }

    private static func little(_ bytes: ArraySlice<UInt8>, at place: Int, size: Int) -> Int64 {
        guard place + size <= bytes.endIndex else { return 0 }
        let value = bytes[place..<place + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(clamping: min(value, UInt64(Int64.max / 4)))
    }
}
