internal import SegueContainers
internal import SeguePlaylists

/// Follows the frames of a stream of sound from packet to packet, and whether their times keep pace with their samples.
struct SoundPace {
    /// A time that is not where the frames before it end.
    struct Jump {
        /// How much too late it is, in ticks; below zero, too early.
        let ticks: Int64
        /// When, in ticks.
        let time: Int64
    }

    /// The frames seen so far.
    private(set) var frames = 0
    /// Times that are not where the frames before them end.
    private(set) var jumps: [Jump] = []
    /// Whether what should be a frame was none.
    private(set) var isLost = false
    private let codec: String
    private var begun: [UInt8] = []
    private var skip = 0
    private var pending: Int64?
    private var base: Int64?
    private var ticks = 0.0

    init(codec: String) { self.codec = codec }

    /// Begins a packet whose first frame that begins in it has a time.
    mutating func begin(at time: Int64?) { pending = time }

    /// Goes through bytes of the stream.
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
            take(frame)
            // A frame shorter than its own head is none; the sizes of all others leave something to skip.
            skip = max(0, frame.size - begun.count)
            begun = []
        }
    }

    private static func isSame(_ found: String, _ codec: String) -> Bool {
        found == codec || (codec == "mp3" && found.hasPrefix("mp")) || (codec == "eac3" && found == "ac3")
    }

    private mutating func take(_ frame: AudioFrame) {
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
