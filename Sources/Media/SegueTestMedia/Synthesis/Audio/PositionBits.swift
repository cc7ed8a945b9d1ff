/// The random bits behind a channel's audio: 8000 per second, for all times, also negative.
///
/// A bit depends only on the seed, the channel, and its number, so any section can be generated independently.
struct PositionBits: Sendable {
    /// Bits per second.
    static let rate: Int64 = 8000

    private let key: UInt64

    init(seed: UInt64, channel: Int) {
        key = Self.mixed(seed &+ UInt64(bitPattern: Int64(channel)) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// The 64 bits from bit `64 * index`, lowest first.
    func word(_ index: Int64) -> UInt64 {
        Self.mixed(key ^ Self.mixed(UInt64(bitPattern: index) &+ 0xD1B5_4A32_D192_ED03))
    }

    /// The words with `count` bits from bit `first`, and the number of their first bit.
    func words(covering first: Int64, count: Int) -> (words: [UInt64], start: Int64) {
        let firstWord = first >> 6
        let lastWord = (first + Int64(max(count, 1)) - 1) >> 6
        // One extra word, so a reader may always access a word and its successor.
        return ((firstWord...lastWord + 1).map(word), firstWord << 6)
    }

    /// The finalizer of SplitMix64 (Steele, Lea, and Flood, 2014): every input bit affects every output bit.
    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
