internal import SegueBase

/// The times and segments of delivered audio by its reduced samples.
struct DeliveredTimeline {
    /// A frame whose time does not follow from the previous one's.
    struct Frame {
        /// The first reduced sample.
        let sample: Double
        let time: Double
        let segment: Int
        let section: Int
    }

    /// The segment's start according to its tag; nil if the audio is not packed.
    var packedTime: Double?

    private let starts: [Double]
    private var section = 0
    private var frames: [Frame] = []
    private var heard = 0.0
    private var expectedTime: Double?
    private var firsts: [(segment: Int, sample: Int)] = []

    /// Creates an empty timeline; `starts` are the playlist times of the segments, in seconds.
    init(starts: [Double]) { self.starts = starts }

    /// Starts another section.
    mutating func begin(section: Int) {
        self.section = section
        expectedTime = nil
    }

    /// Adds a frame with its timestamp and its length, in seconds.
    mutating func add(_ stamp: Double?, length: Double, segment: Int) {
        var time = stamp
        if let packedTime {
            // Packed audio has only a timestamp per segment.
            time = firsts.last?.segment == segment ? expectedTime ?? packedTime : packedTime
        }
        time = time ?? expectedTime
        note(time, segment)
        expectedTime = time.map { $0 + length }
        heard += length * AudioReducer.rate
    }

    private mutating func note(_ time: Double?, _ segment: Int) {
        let isNew = firsts.last?.segment != segment
        if isNew { firsts.append((segment, Int(heard.rounded()))) }
        guard let time else { return }
        if let last = frames.last, !isNew, heard - last.sample < AudioReducer.rate, last.section == section,
            abs(last.time + (heard - last.sample) / AudioReducer.rate - time) < 0.001
        {
            return
        }
        frames.append(Frame(sample: heard, time: time, segment: segment, section: section))
    }

    /// The frame with a reduced sample, or the first one.
    func frame(at sample: Int) -> Frame? {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].sample <= Double(sample) + 0.5 { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? frames[low - 1] : frames.first
    }

    /// The playlist time of a timestamp in a segment, in seconds.
    func playlistTime(of time: Double, segment: Int, section: Int) -> Double {
        guard starts.indices.contains(segment) else { return 0 }
        let first = frames.first { $0.segment == segment && $0.section == section }
        return starts[segment] + max(0, time - (first?.time ?? time))
    }

    /// The segment and the playlist time of a reduced sample.
    func place(of sample: Int) -> (segment: Int, seconds: Double) {
        // A decoder's delay from the preceding segment is at most a frame.
        let near = Int(0.03 * AudioReducer.rate)
        guard let first = firsts.last(where: { $0.sample <= sample + near }) ?? firsts.first else { return (0, 0) }
        let start = starts.indices.contains(first.segment) ? starts[first.segment] : 0
        return (first.segment, max(start, start + Double(sample - first.sample) / AudioReducer.rate))
    }
}
