/// Measures the duration of a stream of audio frames incrementally.
package struct FrameScanner: Sendable {
    /// The duration of the complete frames so far.
    package private(set) var duration = Duration.zero

    /// The size of the complete frames in bytes.
    package private(set) var bytes = 0

    /// The codec of the first frame; nil before it.
    package private(set) var codec: String?

    /// The number of bytes since the last frame that belong to no frame.
    package private(set) var junk = 0

    private var rest: [UInt8] = []
    private var first: AudioFrame?

    /// A scanner at the start of a stream.
    package init() {}

    /// Adds the next bytes.
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

    /// Returns the next complete frame and skips other bytes.
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

    /// Returns true if a frame matches the previous ones or a similar one follows.
    private func isPlausible(_ frame: AudioFrame, at place: Int) -> Bool {
        if let first, frame.isLike(first) { return true }
        let next = place + frame.size
        guard next + 7 <= rest.count else { return first == nil }
        return AudioFrame(rest[next...])?.isLike(frame) ?? false
    }
}
