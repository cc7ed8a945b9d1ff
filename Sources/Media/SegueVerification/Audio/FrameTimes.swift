/// The times of delivered audio frames, compared with the source's.
struct FrameTimes {
    struct Frame {
        /// The first delivered sample.
        let sample: Int64
        /// The presentation time in seconds; nil without a timestamp.
        let time: Double?
        /// The number of samples.
        let length: Int64
    }

    /// The delivered sample rate, in hertz; 0 until the first frame.
    var rate = 0
    /// The first delivered sample of each nonempty segment.
    private(set) var borders: [(segment: Int, sample: Int64)] = []
    private(set) var measured: [TimeOffsets.Measured] = []
    /// The delivered frames that are not compared yet.
    private var pending: [(sample: Int64, time: Double, length: Int64)] = []
    private var known: [(sample: Int64, time: Double)] = []

    /// Adds a frame of a segment.
    mutating func add(_ frame: Frame, segment: Int) {
        if borders.last?.segment ?? -1 < segment { borders.append((segment, frame.sample)) }
        guard let time = frame.time else { return }
        pending.append((frame.sample, time, frame.length))
        if known.count < 2 || frame.sample - (known.last?.sample ?? 0) > Int64(rate) {
            known.append((frame.sample, time))
        }
    }

    /// Compares the times of frames whose source position is known.
    mutating func settle(_ comparator: AudioComparator, source: SourceAudio) {
        var done = 0
        while done < pending.count, pending[done].sample < comparator.cursor {
            let (sample, time, length) = pending[done]
            let place = sample - comparator.lag
            if comparator.hasHeardAudio, place >= 0, place < source.count,
                !source.isMarred(place), let due = source.timeline.time(of: place)
            {
                // A frame across a gap in the source is correct if any of its samples is.
                let rest = min(length, source.count - place) - 1
                let end = source.timeline.time(of: place + rest)?.due ?? due.due
                let back = Double(rest) / Double(rate)
                let whole =
                    min(due.due.lowerBound, end.lowerBound - back)...max(due.due.upperBound, end.upperBound - back)
                measured.append(TimeOffsets.Measured(delivered: time, said: due.said, due: whole))
            }
            done += 1
        }
        pending.removeFirst(done)
    }

    /// The presentation time of a delivered sample, in seconds.
    func seconds(of sample: Int64) -> Double {
        guard let nearest = known.last(where: { $0.sample <= sample }) ?? known.first else {
            return Double(sample) / Double(max(rate, 1))
        }
        return nearest.time + Double(sample - nearest.sample) / Double(max(rate, 1))
    }
}
