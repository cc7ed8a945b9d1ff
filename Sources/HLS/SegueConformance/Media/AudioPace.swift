internal import SegueContainers
internal import SeguePlaylists

/// Follows the audio frames of a stream from packet to packet and compares their timestamps with their sample count.
struct AudioPace {
    /// A timestamp that differs from the end of the previous frame.
    struct Jump {
        /// The difference in ticks; negative if the timestamp is early.
        let ticks: Int64
        /// The timestamp in ticks.
        let time: Int64
    }

    /// The number of frames so far.
    private(set) var frames = 0
    private(set) var jumps: [Jump] = []
    /// True after a loss of frame synchronization.
    private(set) var isLost = false
    private let codec: String
    private var begun: [UInt8] = []
    private var skip = 0
    private var pending: Int64?
    private var base: Int64?
    private var ticks = 0.0

    init(codec: String) { self.codec = codec }

    /// Starts a packet with the timestamp of its first new frame.
    mutating func begin(at time: Int64?) { pending = time }

    /// Adds bytes of the stream.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard !isLost else { return }
        var rest = bytes
        while !rest.isEmpty {
            if skip > 0 {
                let passed = min(skip, rest.count)
                skip -= passed
                rest = rest.dropFirst(passed)
                continue
            }
            let missing = AudioFrame.headLength - begun.count
            begun += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            guard begun.count == AudioFrame.headLength else { return }
            guard let frame = AudioFrame(begun[...]), Self.isSame(frame.codec, codec) else {
                isLost = true
                return
            }
            add(frame)
            // Valid frames are longer than their headers.
            skip = max(0, frame.size - begun.count)
            begun = []
        }
    }

    private static func isSame(_ found: String, _ codec: String) -> Bool {
        found == codec || (codec == "mp3" && found.hasPrefix("mp")) || (codec == "eac3" && found == "ac3")
    }

    private mutating func add(_ frame: AudioFrame) {
        frames += 1
        let length = Double(frame.samples) * Double(TransportTime.scale) / Double(frame.sampleRate)
        if let time = pending {
            pending = nil
            if let base {
                let expected = base + Int64(ticks.rounded())
                let off = TransportTime.distance(from: expected, to: time)
                if Double(abs(off)) > max(length / 2, 100), jumps.count < 100 {
                    jumps.append(Jump(ticks: off, time: time))
                }
            }
            (base, ticks) = (time, 0)
        }
        ticks += length
    }
}
