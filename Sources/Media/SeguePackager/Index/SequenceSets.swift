internal import SegueBase
internal import SegueFFmpeg

/// A fingerprint of the sequence parameter sets of H.264 and HEVC, to detect changes of size, profile, and color.
struct SequenceSets: Sendable {
    private let codec: NALUnits.Codec
    /// The size of each unit's length field, in bytes; nil with start codes.
    private let lengthSize: Int?

    /// Creates a reader; nil for other codecs.
    init?(_ info: StreamInfo) {
        guard info.kind == .video, ["h264", "hevc"].contains(info.codec) else { return nil }
        codec = info.codec == "hevc" ? .hevc : .h264
        lengthSize = VideoConfiguration(codec: codec, extradata: info.extradata).lengthSize
    }

    /// The size of a packet's beginning that is searched, in bytes.
    private static let reach = 4096

    /// The fingerprint of out-of-band configuration; nil without a sequence parameter set.
    func key(ofExtradata bytes: [UInt8]) -> UInt64? {
        key(VideoConfiguration(codec: codec, extradata: bytes).parameterSets.filter { isSequence($0.first ?? 0) })
    }

    /// The fingerprint of the sets before the slices of a packet in a file; nil without any.
    func key(size: Int, byte: (Int) -> UInt8?) -> UInt64? {
        guard let lengthSize else { return nil }
        var (place, sets) = (0, [[UInt8]]())
        while place + lengthSize < min(size, Self.reach) {
            var length = 0
            for _ in 0..<lengthSize {
                length = length << 8 | Int(byte(place) ?? 0)
                place += 1
            }
            guard length > 0, length <= size - place, let first = byte(place), !isSlice(first) else { break }
            if isSequence(first), length < Self.reach { sets.append((0..<length).map { byte(place + $0) ?? 0 }) }
            place += length
        }
        return key(sets)
    }

    /// The fingerprint of the sets before a packet's slices; nil without any.
    func key(in bytes: UnsafeRawBufferPointer) -> UInt64? {
        let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.reach))
        let units = lengthSize.map { NALUnits.withLengths(head, lengthSize: $0) } ?? NALUnits.inAnnexB(head)
        var sets: [[UInt8]] = []
        for unit in units {
            let first = head[unit.lowerBound]
            if isSlice(first) { break }
            // A set at the end may be cut short.
            if isSequence(first), unit.upperBound < head.count || head.count == bytes.count {
                sets.append([UInt8](head[unit]))
            }
        }
        return key(sets)
    }

    /// True if the length fields of units have the same size with another out-of-band configuration.
    func hasSameLengths(_ extradata: [UInt8]) -> Bool {
        VideoConfiguration(codec: codec, extradata: extradata).lengthSize == lengthSize
    }

    private func key(_ sets: [[UInt8]]) -> UInt64? {
        guard !sets.isEmpty else { return nil }
        // The same sets may be repeated in any order.
        let plain = sets.map { set in set.prefix((set.lastIndex { $0 != 0 } ?? 0) + 1) }
        return Set(plain.map { $0.withUnsafeBytes { UInt64(Checksum.adler32($0)) } }).reduce(1 << 41) { $0 &+ $1 }
    }

    private func isSequence(_ first: UInt8) -> Bool {
        switch codec {
        case .h264: first & 31 == 7
        case .hevc: first >> 1 & 63 == 33
        }
    }

    private func isSlice(_ first: UInt8) -> Bool {
        switch codec {
        case .h264: (1...5).contains(first & 31)
        case .hevc: first >> 1 & 63 < 32
        }
    }
}

extension StreamIndex {
    /// The first packet of video with other sequence parameter sets, or other length fields, than the packets before it;
    /// nil if there is none.
    var codingChange: Int? {
        guard let sets = SequenceSets(info) else { return nil }
        if let change = extradataChanges.first(where: { !sets.hasSameLengths($0.bytes) }) { return change.packet }
        var last = sets.key(ofExtradata: info.extradata)
        for (packet, key) in configurations {
            if let last, last != key { return packet }
            last = key
        }
        return nil
    }
}
