internal import SeguePlaylists

/// The data of an endless stream, measured in playback time.
struct RadioBuffer: Sendable {
    private var scanner = FrameScanner()
    private var metadata: IcyReader?

    /// The position of the connection's first frame on the item's timeline.
    private var base: Duration

    /// The held media.
    private(set) var held: Range<Duration>

    /// True if the server announces internet radio, whose streams do not end.
    private(set) var isRadio: Bool

    /// True if the data are not audio, or no longer.
    var isJunk: Bool { scanner.junk > 256 << 10 }

    init(from position: Duration, metadata: IcyReader?, isRadio: Bool) {
        base = position
        held = position..<position
        self.metadata = metadata
        self.isRadio = isRadio
    }

    /// Continues with another connection, after the held media or, if they are useless, at a position.
    mutating func reconnect(at position: Duration?, metadata: IcyReader?, isRadio: Bool) {
        base = position ?? held.upperBound
        if let position { held = position..<position }
        scanner = FrameScanner()
        self.metadata = metadata
        self.isRadio = isRadio
    }

    /// Adds bytes, and returns the audio in them, and the new titles.
    mutating func receive(_ bytes: [UInt8]) -> (audio: [UInt8], titles: [String]) {
        let (audio, titles) = metadata?.read(bytes) ?? (bytes, [])
        scanner.take(audio)
        held = held.lowerBound..<max(held.upperBound, base + scanner.duration)
        return (audio, titles)
    }

    /// Releases media before a position.
    mutating func release(before position: Duration) {
        held = min(max(held.lowerBound, position), held.upperBound)..<held.upperBound
    }
}
