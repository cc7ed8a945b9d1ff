/// Counts the time that passes in a stream of audio frames, as its bytes come.
package struct FrameScanner: Sendable {
    /// How much time the whole frames so far take.
    package private(set) var duration = Duration.zero

    /// How many bytes they have.
    package private(set) var bytes = 0

    /// The codec of the first frame; nil before.
    package private(set) var codec: String?

    /// How many bytes came since the last frame that belong to none.
    package private(set) var junk = 0

    private var rest: [UInt8] = []
    private var first: AudioFrame?

    /// A scanner at the beginning of a stream.
    package init() {}

    /// Takes in the bytes that follow.
    package mutating func take(_ more: some Collection<UInt8>) {
        rest += more
        var place = 0
        while let frame = nextFrame(from: &place) {
            if first == nil { first = frame }
            codec = codec ?? frame.codec
            duration += .units(Int64(frame.samples), of: Int64(frame.sampleRate))
            bytes += frame.size
            junk = 0
            place += frame.size
        }
        rest.removeFirst(place)
    }

    /// The next frame that is there whole; moves over what is no frame.
    private mutating func nextFrame(from place: inout Int) -> AudioFrame? {
        while place + 7 <= rest.count {
            if rest[place] == 0xFF || rest[place] == 0x0B, let frame = AudioFrame(rest[place...]),
                isPlausible(frame, at: place)
            {
                return place + frame.size <= rest.count ? frame : nil
            }
            place += 1
            junk += 1
        }
        return nil
    }

    /// Whether a frame goes with the ones before, or else another like it follows.
    private func isPlausible(_ frame: AudioFrame, at place: Int) -> Bool {
        if let first, frame.isLike(first) { return true }
        let next = place + frame.size
        guard next + 7 <= rest.count else { return first == nil }
        return AudioFrame(rest[next...])?.isLike(frame) ?? false
    }
}
