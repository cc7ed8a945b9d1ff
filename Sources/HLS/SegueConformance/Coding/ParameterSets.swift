internal import SegueBase
internal import SegueContainers

/// The H.264 or HEVC parameter sets of a configuration or of the start of a stream.
package struct ParameterSets: Sendable, Equatable {
    /// One set: a hash and, for a PPS, the ID of its SPS.
    struct Entry: Sendable, Equatable {
        let digest: UInt64
        var base: Int?
    }

    private(set) var isHEVC: Bool
    /// The SPSs by ID.
    private(set) var sequences: [Int: Entry] = [:]
    /// The PPSs by ID.
    private(set) var pictures: [Int: Entry] = [:]
    /// The coding setup of the first SPS.
    private(set) var setup: CodingSetup?
    private var fields: [Int: (isFramesOnly: Bool, bits: Int, hasPlanes: Bool)] = [:]

    init(isHEVC: Bool) { self.isHEVC = isHEVC }

    package static func == (one: ParameterSets, other: ParameterSets) -> Bool {
        one.isHEVC == other.isHEVC && one.sequences == other.sequences && one.pictures == other.pictures
    }

    /// Adds a NAL unit if it is a parameter set.
    mutating func add(_ unit: ArraySlice<UInt8>) {
        guard let head = unit.first else { return }
        let type = isHEVC ? head >> 1 & 63 : head & 31
        switch (isHEVC, type) {
        case (false, 7):
            guard let set = try? AVCSequence(unit) else { return }
            sequences[set.number] = sequences[set.number] ?? Entry(digest: Self.digest(unit))
            fields[set.number] = (set.isFramesOnly, set.frameNumberBits, set.hasSeparatePlanes)
            setup = setup ?? set.setup
        case (true, 33):
            guard let set = try? HEVCSequence(unit) else { return }
            sequences[set.number] = sequences[set.number] ?? Entry(digest: Self.digest(unit))
            setup = setup ?? set.setup
        case (false, 8), (true, 34):
            var reader = BitReader(unit: unit, headLength: isHEVC ? 2 : 1)
            guard let number = try? reader.golomb(), let base = try? reader.golomb() else { return }
            pictures[number] = pictures[number] ?? Entry(digest: Self.digest(unit), base: base)
        default: break
        }
    }

    /// Adds the sets of another source; the own ones win.
    func joined(with other: ParameterSets?) -> ParameterSets {
        guard let other else { return self }
        var result = self
        result.sequences.merge(other.sequences) { own, _ in own }
        result.pictures.merge(other.pictures) { own, _ in own }
        result.fields.merge(other.fields) { own, _ in own }
        result.setup = setup ?? other.setup
        return result
    }

    /// Returns a phrase for a set that differs in both sources; nil if there is none.
    func contradiction(to other: ParameterSets) -> Message? {
        let sequence = sequences.first { number, set in other.sequences[number].map { $0.digest != set.digest } ?? false
        }
        if let sequence { return "SPS \(sequence.key)" }
        let picture = pictures.first { number, set in other.pictures[number].map { $0.digest != set.digest } ?? false }
        return picture.map { "PPS \($0.key)" }
    }

    /// Returns the ID of an SPS that differs in both sources; nil if there is none.
    func changedSequence(since other: ParameterSets) -> Int? {
        sequences.first { number, set in other.sequences[number].map { $0.digest != set.digest } ?? false }?.key
    }

    /// Returns a phrase for a missing set that a slice needs; nil if all are present.
    func missing(for slice: ArraySlice<UInt8>) -> Message? {
        guard let number = try? Self.pictureSet(of: slice, isHEVC: isHEVC) else { return nil }
        guard let picture = pictures[number] else { return "PPS \(number)" }
        guard let base = picture.base, sequences[base] == nil else { return nil }
        return "SPS \(base)"
    }

    /// Returns true for an H.264 slice of a field.
    func isField(_ slice: ArraySlice<UInt8>) -> Bool {
        guard !isHEVC, let number = try? Self.pictureSet(of: slice, isHEVC: false), let base = pictures[number]?.base,
            let sequence = fields[base], !sequence.isFramesOnly
        else { return false }
        var reader = BitReader(unit: slice.prefix(64), headLength: 1)
        guard (try? (reader.golomb(), reader.golomb(), reader.golomb())) != nil,
            (try? reader.skip(sequence.bits + (sequence.hasPlanes ? 2 : 0))) != nil
        else { return false }
        return (try? reader.flag()) ?? false
    }

    /// Returns the PPS ID of a slice.
    private static func pictureSet(of slice: ArraySlice<UInt8>, isHEVC: Bool) throws(BitReader.End) -> Int {
        var reader = BitReader(unit: slice.prefix(64), headLength: isHEVC ? 2 : 1)
        if isHEVC {
            let type = (slice.first ?? 0) >> 1 & 63
            // Only the first slice of a picture has the ID at a known position.
            guard try reader.flag() else { throw BitReader.End() }
            if (16...23).contains(type) { try reader.skip(1) }
        } else {
            _ = try (reader.golomb(), reader.golomb())
        }
        return try reader.golomb()
    }

    private static func digest(_ unit: ArraySlice<UInt8>) -> UInt64 {
        // Zero bytes at the end do not belong to the set.
        let end = unit.lastIndex { $0 != 0 } ?? unit.startIndex
        return unit[...end].reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// The parameter sets and the first slice at the start of a segment.
struct SegmentStart {
    private(set) var sets: ParameterSets
    private(set) var slice: ArraySlice<UInt8>?

    /// Reads units up to the first slice.
    init(_ units: UnitReader, isHEVC: Bool) {
        sets = ParameterSets(isHEVC: isHEVC)
        for unit in units {
            guard let head = unit.first, unit.count > 1 else { continue }
            let isSlice = isHEVC ? head >> 1 & 63 < 32 : (1...5).contains(head & 31)
            if isSlice {
                slice = unit.prefix(64)
                return
            }
            sets.add(unit)
        }
    }
}
