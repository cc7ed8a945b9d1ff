internal import SegueFFmpeg

/// Recognizes coded frames across containers.
///
/// Containers change start codes or lengths, delimiters, and parameter sets before keyframes; slices remain identical
/// when a frame is copied.
struct CodedFrame {
    private enum Syntax { case h264, hevc, other }

    private let syntax: Syntax
    /// The size of each unit's length field, in bytes; nil with start codes.
    private let lengthSize: Int?

    /// Creates the reader of a stream's frames.
    init(_ stream: StreamInfo) {
        switch stream.codec {
        case "h264":
            syntax = .h264
            lengthSize =
                stream.extradata.first == 1 && stream.extradata.count > 6 ? Int(stream.extradata[4] & 3) + 1 : nil
        case "hevc":
            syntax = .hevc
            // hvcC begins with 1, or 0 in old files; start codes begin with two zeros.
            let isRecord = stream.extradata.count > 22 && !stream.extradata.starts(with: [0, 0])
            lengthSize = isRecord ? Int(stream.extradata[21] & 3) + 1 : nil
        default:
            syntax = .other
            lengthSize = nil
        }
    }

    /// True if a packet has slices or is damaged, or its codec has no slices.
    func hasPicture(_ packet: Packet) -> Bool {
        guard syntax != .other else { return true }
        return packet.withBytes { bytes in
            // A packet without slices is small, so most are not searched.
            guard bytes.count <= Self.greatestPart else { return true }
            var (hasUnits, hasOthers) = (false, false)
            forEachUnit(in: bytes) { unit in
                hasUnits = true
                hasOthers = hasOthers || !(unit.first.map(isBesideSlices) ?? false)
            }
            return !hasUnits || hasOthers
        }
    }

    /// True if a packet of any stream of a file has slices, or its codec has none.
    static func hasPicture(_ packet: Packet, of input: MediaInput) -> Bool {
        guard packet.size <= greatestPart, input.streams.indices.contains(packet.streamIndex) else { return true }
        return CodedFrame(input.streams[packet.streamIndex]).hasPicture(packet)
    }

    /// The maximum size of a packet without slices, in bytes.
    private static let greatestPart = 4096

    /// True for the types of parameter sets, messages, delimiters, and filler data (ITU-T H.264 and H.265, tables 7-1).
    private func isBesideSlices(_ first: UInt8) -> Bool {
        syntax == .h264 ? (6...15).contains(first & 31) : (32...40).contains(first >> 1 & 63)
    }

    private func isSlice(_ first: UInt8) -> Bool {
        syntax == .h264 ? (1...5).contains(first & 31) : (first >> 1 & 63) < 32
    }

    /// A checksum of a frame's slices; nil if the packet has none.
    func checksum(of packet: Packet) -> UInt64? {
        packet.withBytes { bytes in
            guard syntax != .other else { return Self.hash(bytes, from: Self.seed) }
            var result = Self.seed
            var hasSlices = false
            forEachUnit(in: bytes) { unit in
                guard let first = unit.first else { return }
                guard isSlice(first) else { return }
                hasSlices = true
                result = Self.hash(unit, from: result)
            }
            return hasSlices ? result : nil
        }
    }

    /// A checksum of an audio packet, without the ADTS header of AAC.
    static func checksum(ofAudio packet: Packet, _ stream: StreamInfo) -> UInt64 {
        packet.withBytes { bytes in
            let isADTS = stream.codec == "aac" && bytes.count > 7 && bytes[0] == 0xFF && bytes[1] & 0xF6 == 0xF0
            // A header with a checksum is two bytes longer.
            let header = isADTS ? (bytes[1] & 1 == 1 ? 7 : 9) : 0
            return hash(UnsafeRawBufferPointer(rebasing: bytes[min(header, bytes.count)...]), from: seed)
        }
    }

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private func forEachUnit(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        let hasStartCode = bytes.starts(with: [0, 0, 0, 1]) || bytes.starts(with: [0, 0, 1])
        guard let lengthSize, !(hasStartCode && lengthSize != 4) else {
            forEachUnitWithStartCode(in: bytes, body)
            return
        }
        var place = 0
        while place + lengthSize <= bytes.count {
            var length = 0
            for index in 0..<lengthSize { length = length << 8 | Int(bytes[place + index]) }
            place += lengthSize
            let end = min(place + length, bytes.count)
            body(Self.trimmed(UnsafeRawBufferPointer(rebasing: bytes[place..<end])))
            place = end
        }
    }

    private func forEachUnitWithStartCode(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var start: Int?
        var place = 0
        while place + 2 < bytes.count {
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                if let start { body(Self.trimmed(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))) }
                start = place + 3
                place += 3
            } else {
                place += 1
            }
        }
        if let start, start <= bytes.count {
            body(Self.trimmed(UnsafeRawBufferPointer(rebasing: bytes[start...])))
        }
    }

    /// A unit without trailing zeros.
    private static func trimmed(_ unit: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = unit.count
        while end > 0, unit[end - 1] == 0 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: unit[..<end])
    }

    /// FNV-1a over eight-byte words: fast, and sufficient against accidental equality.
    private static func hash(_ bytes: UnsafeRawBufferPointer, from start: UInt64) -> UInt64 {
        var hash = start ^ UInt64(bytes.count)
        var place = 0
        while place + 8 <= bytes.count {
            hash = (hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x100_0000_01B3
            hash ^= hash >> 29
            place += 8
        }
        while place < bytes.count {
            hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01B3
            place += 1
        }
        return hash
    }
}
