/// The parameter sets of H.264 or HEVC that a configuration or the beginning of a stream has.
package struct ParameterSets: Sendable, Equatable {
    /// One set: a sum over its bytes and, of a picture's, the number of the sequence's set that it builds on.
    struct Entry: Sendable, Equatable {
        let digest: UInt64
        var base: Int?
    }

    private(set) var isHEVC: Bool
    /// Those of sequences, by their numbers.
    private(set) var sequences: [Int: Entry] = [:]
    /// Those of pictures, by their numbers.
    private(set) var pictures: [Int: Entry] = [:]
    /// What the first set of a sequence says.
    private(set) var setup: CodingSetup?
    private var fields: [Int: (isFramesOnly: Bool, bits: Int, hasPlanes: Bool)] = [:]

    init(isHEVC: Bool) { self.isHEVC = isHEVC }

    package static func == (one: ParameterSets, other: ParameterSets) -> Bool {
        one.isHEVC == other.isHEVC && one.sequences == other.sequences && one.pictures == other.pictures
    }

    /// Takes a unit if it is a set.
    mutating func take(_ unit: ArraySlice<UInt8>) {
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

    /// Those of another place besides; where both have a number, these stay.
    func joined(with other: ParameterSets?) -> ParameterSets {
        guard let other else { return self }
        var result = self
        result.sequences.merge(other.sequences) { own, _ in own }
        result.pictures.merge(other.pictures) { own, _ in own }
        result.fields.merge(other.fields) { own, _ in own }
        result.setup = setup ?? other.setup
        return result
    }

    /// The number of a set that both have, and have differently; nil where there is none.
    func contradiction(to other: ParameterSets) -> String? {
        let sequence = sequences.first { number, set in other.sequences[number].map { $0.digest != set.digest } ?? false
        }
        if let sequence { return "the parameter set \(sequence.key) of the sequence" }
        let picture = pictures.first { number, set in other.pictures[number].map { $0.digest != set.digest } ?? false }
        return picture.map { "the parameter set \($0.key) of pictures" }
    }

    /// What a slice needs and is not there; nil where all is, or it cannot be told.
    func missing(for slice: ArraySlice<UInt8>) -> String? {
        guard let number = try? Self.pictureSet(of: slice, isHEVC: isHEVC) else { return nil }
        guard let picture = pictures[number] else { return "the parameter set \(number) of pictures" }
        guard let base = picture.base, sequences[base] == nil else { return nil }
        return "the parameter set \(base) of the sequence"
    }

    /// Whether a slice of H.264 is of a field.
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

    /// The number of the set that a slice names.
    private static func pictureSet(of slice: ArraySlice<UInt8>, isHEVC: Bool) throws(BitReader.End) -> Int {
        var reader = BitReader(unit: slice.prefix(64), headLength: isHEVC ? 2 : 1)
        if isHEVC {
            let type = (slice.first ?? 0) >> 1 & 63
            // Only a picture's first slice has it in a place that is known.
            guard try reader.flag() else { throw BitReader.End() }
            if (16...23).contains(type) { try reader.skip(1) }
        } else {
            _ = try (reader.golomb(), reader.golomb())
        }
        return try reader.golomb()
    }

    private static func digest(_ unit: ArraySlice<UInt8>) -> UInt64 {
        // Zeros at the end are no part of a set.
        let end = unit.lastIndex { $0 != 0 } ?? unit.startIndex
        return unit[...end].reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// What the first picture of a segment is made of.
struct FirstPicture {
    private(set) var sets: ParameterSets
    private(set) var slice: ArraySlice<UInt8>?

    /// Looks at units until the first slice.
    init(_ units: UnitReader, isHEVC: Bool) {
        sets = ParameterSets(isHEVC: isHEVC)
        for unit in units {
            guard let head = unit.first, unit.count > 1 else { continue }
            let isSlice = isHEVC ? head >> 1 & 63 < 32 : (1...5).contains(head & 31)
            if isSlice {
                slice = unit.prefix(64)
                return
            }
            sets.take(unit)
        }
    }
}
