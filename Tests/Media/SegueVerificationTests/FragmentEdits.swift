/// An editor of fragmented MP4 in memory.
enum FragmentEdits {
    /// Adds to the decode times of a track, by its position in the file.
    static func move(track: Int, by ticks: UInt64, in bytes: inout [UInt8]) {
        let places = positions(of: "tfdt", in: bytes)
        guard track < places.count else { return }
        // Version 1: 64 bits after version and flags.
        let place = places[track] + 8
        var time = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[place + $1]) }
        time &+= ticks
        for index in 0..<8 { bytes[place + index] = UInt8(time >> UInt64(56 - 8 * index) & 0xFF) }
    }

    /// The offset of the first samples.
    static func firstData(in bytes: [UInt8]) -> Int { (positions(of: "mdat", in: bytes).first ?? 0) + 4 }

    /// The offsets of a box type.
    private static func positions(of type: String, in bytes: [UInt8]) -> [Int] {
        let type = Array(type.utf8)
        return (0..<bytes.count - 4).filter { Array(bytes[$0..<$0 + 4]) == type }
    }
}
