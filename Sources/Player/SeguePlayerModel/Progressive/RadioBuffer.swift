internal import SeguePlaylists

/// What an endless stream has brought, in the time that it plays.
struct RadioBuffer: Sendable {
    private var scanner = FrameScanner()
    private var metadata: IcyReader?

    /// Where on the item's timeline the connection's first frame lies.
    private var base: Duration

    /// What is there and not yet let go.
    private(set) var held: Range<Duration>

    /// Whether the server announces itself as one of internet radio, whose streams do not end by themselves.
    private(set) var isRadio: Bool

    /// Whether what comes is no sound, or no longer.
    var isJunk: Bool { scanner.junk > 256 << 10 }

    init(from position: Duration, metadata: IcyReader?, isRadio: Bool) {
        base = position
        held = position..<position
        self.metadata = metadata
        self.isRadio = isRadio
    }

    /// Goes on with another connection, behind what is there or, where that is of no use any more, at a position.
    mutating func reconnect(at position: Duration?, metadata: IcyReader?, isRadio: Bool) {
        base = position ?? held.upperBound
        if let position { held = position..<position }
        scanner = FrameScanner()
        self.metadata = metadata
        self.isRadio = isRadio
    }

    /// Takes in bytes; tells the sound in them and the titles that are new.
    mutating func take(_ bytes: [UInt8]) -> (sound: [UInt8], titles: [String]) {
        let (sound, titles) = metadata?.take(bytes) ?? (bytes, [])
        scanner.take(sound)
        held = held.lowerBound..<max(held.upperBound, base + scanner.duration)
        return (sound, titles)
    }

    /// Lets go of what lies before a position.
    mutating func release(before position: Duration) {
        held = min(max(held.lowerBound, position), held.upperBound)..<held.upperBound
    }
}
