internal import SegueContainers

/// The NAL units of a frame that the checks of frames need.
struct PictureUnits {
    /// The parameter sets before the last slice.
    private(set) var sets: ParameterSets
    /// The first slice, without most of its data; nil if there is none.
    private(set) var slice: ArraySlice<UInt8>?
    /// The number of access unit delimiters before the first slice.
    private(set) var delimiters = 0
    /// True if parameter sets follow the last slice.
    private(set) var endsWithSets = false
    /// True if an access unit delimiter follows the last slice.
    private(set) var endsWithDelimiter = false
    /// The SEI messages before the first slice.
    private(set) var messages: [ArraySlice<UInt8>] = []
    private let isHEVC: Bool
    private var hasSlice: Bool

    /// Reads units.
    ///
    /// - Parameters:
    ///   - units: The units of a frame, or of its end.
    ///   - isHEVC: False for H.264.
    ///   - isEnd: True if slices of the frame precede the units.
    init(_ units: UnitReader, isHEVC: Bool, isEnd: Bool = false) {
        (self.isHEVC, hasSlice) = (isHEVC, isEnd)
        sets = ParameterSets(isHEVC: isHEVC)
        for unit in units { add(unit) }
    }

    private mutating func add(_ unit: ArraySlice<UInt8>) {
        guard let head = unit.first, !isOfLayer(unit) else { return }
        let type = Self.type(head, isHEVC: isHEVC)
        if isHEVC ? type < 32 : (1...5).contains(type) {
            slice = slice ?? unit.prefix(64)
            hasSlice = true
            (endsWithSets, endsWithDelimiter) = (false, false)
        } else if isHEVC ? (32...34).contains(type) : type == 7 || type == 8 {
            if !hasSlice { sets.add(unit) } else { endsWithSets = true }
        } else if type == (isHEVC ? 35 : 9) {
            if !hasSlice { delimiters += 1 } else { endsWithDelimiter = true }
        } else if type == (isHEVC ? 39 : 6), !hasSlice, messages.count < 100 {
            messages.append(unit)
        }
    }

    /// True for a unit of an enhancement layer of HEVC.
    private func isOfLayer(_ unit: ArraySlice<UInt8>) -> Bool {
        guard isHEVC, let head = unit.first, let second = unit.dropFirst().first else { return false }
        return (head & 1) << 5 | second >> 3 != 0
    }

    private static func type(_ head: UInt8, isHEVC: Bool) -> UInt8 { isHEVC ? head >> 1 & 63 : head & 31 }

    private var type: UInt8? { slice?.first.map { Self.type($0, isHEVC: isHEVC) } }

    /// True if the first slice starts a frame; nil if the bytes do not show it.
    var startsFrame: Bool? { slice?.dropFirst(isHEVC ? 2 : 1).first.map { $0 & 0x80 != 0 } }

    /// True for an IDR frame, or a BLA frame of HEVC.
    var isInstant: Bool { type.map { isHEVC ? (16...20).contains($0) : $0 == 5 } ?? false }

    /// True if decoding may start at the frame although it is predicted: a recovery point (SEI payload type 6).
    private var isRecoveryPoint: Bool {
        messages.contains { CaptionScan.messages($0, isHEVC: isHEVC).contains { $0.type == 6 } }
    }

    /// True if the frame needs earlier frames: predicted slices of H.264, or a frame of HEVC that is none of IDR, BLA,
    /// and CRA, without a recovery point.
    var needsOthers: Bool {
        guard let slice, let type, !isRecoveryPoint else { return false }
        if isHEVC { return type < 16 }
        var reader = BitReader(unit: slice, headLength: 1)
        guard type == 1, (try? reader.golomb()) != nil, let kind = try? reader.golomb() else { return false }
        return [0, 1, 3].contains(kind % 5)
    }
}
