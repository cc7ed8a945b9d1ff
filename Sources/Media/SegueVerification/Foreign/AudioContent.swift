internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares the audio of a delivered stream with the source's.
final class AudioContent {
    /// The delay of audio relative to the source at a position.
    struct Offset {
        var section: Int
        var segment: Int
        /// The delivered timestamp, and its difference to the source's, in seconds.
        var time: Double
        var offset: Double
        /// The delivered timestamp minus the duration of the source's audio before the position.
        var counted: Double
    }

    private(set) var tracker: AudioTracker?
    private(set) var offsets: [Offset] = []
    /// The delivered sample rate and channel count.
    private(set) var rate = 0
    private(set) var complaints: [String] = []
    private(set) var source: SourceAudio?
    private(set) var opening: (any Error)?

    private let path: String
    private let sourceStream: StreamInfo
    private let allowance: ContentAllowance
    private let reach: Double
    private let cancellation: Cancellation
    private let starts: [Double]
    private var decoder: Decoder?
    private let floats = PlanarFloats()
    private var reducer: AudioReducer?
    private var unit = Rational(1, 90000)
    private var section = 0
    private var channels = 0
    /// The frame positions: first reduced sample, time, and segment.
    private var frames: [(sample: Double, time: Double, segment: Int, section: Int)] = []
    private var heard = 0.0
    private var expectedTime: Double?
    /// The segment's start according to its tag.
    private var packedTime: Double?
    private(set) var firsts: [(segment: Int, sample: Int)] = []
    private var resolved = 0
    private var lastAnchor: AudioTracker.Anchor?

    init(
        path: String,
        stream: StreamInfo,
        starts: [Double],
        allowance: ContentAllowance,
        reach: Double,
        _ cancellation: Cancellation
    ) {
        (self.path, sourceStream, self.starts) = (path, stream, starts)
        (self.allowance, self.reach, self.cancellation) = (allowance, reach, cancellation)
    }

    /// Starts another section.
    func begin(section: Int) {
        self.section = section
        decoder = nil
        expectedTime = nil
    }

    /// Adds a packet.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int, packedStart: Double?) throws {
        unit = stream.timeBase
        if let packedStart { packedTime = packedStart }
        do {
            // All samples count, including those that a container declares as discarded.
            if decoder == nil {
                decoder = try Decoder(stream: stream, file: "the delivered audio", options: ["flags2": "+skip_manual"])
            }
            try decoder?.decode(packet, opaque: Int64(segment)) { frame in try hear(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
            complaints.append("segment \(segment): \(error)")
        }
    }

    /// Ends a section.
    func end() throws {
        do {
            try decoder?.decode(nil) { frame in try hear(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
        }
        decoder = nil
    }

    private func hear(_ frame: Frame) throws {
        let planes = try floats.samples(of: frame)
        guard let count = planes.first?.count, count > 0, frame.sampleRate > 0 else { return }
        if tracker == nil, opening == nil { open(frame) }
        guard tracker != nil else { return }
        if reducer == nil || rate != frame.sampleRate {
            if var old = reducer { try tracker?.push(old.finish()) }
            reducer = AudioReducer(rate: Double(frame.sampleRate), channels: channels)
            rate = frame.sampleRate
        }
        let segment = Int(frame.opaque)
        let length = Double(count) / Double(frame.sampleRate)
        var time = frame.bestEffortTimestamp.map { (Rational($0) * unit).seconds }
        if let packedTime {
            // Packed audio has only a timestamp per segment.
            time = firsts.last?.segment == segment ? expectedTime ?? packedTime : packedTime
        }
        time = time ?? expectedTime
        note(time, segment)
        expectedTime = (time ?? expectedTime).map { $0 + length }
        heard += length * AudioReducer.rate
        if var reducer {
            let reduced = reducer.reduce(planes)
            self.reducer = reducer
            try tracker?.push(reduced)
        }
        resolve()
    }

    private func note(_ time: Double?, _ segment: Int) {
        let isNew = firsts.last?.segment != segment
        if isNew { firsts.append((segment, Int(heard.rounded()))) }
        guard let time else { return }
        if let last = frames.last, !isNew, heard - last.sample < AudioReducer.rate, last.section == section,
            abs(last.time + (heard - last.sample) / AudioReducer.rate - time) < 0.001
        {
            return
        }
        frames.append((heard, time, segment, section))
    }

    /// Opens the source with the delivered channels.
    private func open(_ frame: Frame) {
        do {
            let source = try SourceAudio(
                path: path,
                stream: sourceStream.index,
                rate: sourceStream.sampleRate,
                layout: frame.layout,
                known: KnownDamage(),
                cancellation: cancellation
            )
            self.source = source
            channels = frame.channels
            var reducer = AudioReducer(rate: Double(sourceStream.sampleRate), channels: channels)
            var isOver = false
            tracker = AudioTracker(
                channels: channels,
                least: allowance.soundLikeness,
                reach: reach,
                expected: { [unowned self] in expectedLag($0) }
            ) {
                if let planes = try source.next() { return reducer.reduce(planes) }
                guard !isOver else { return nil }
                isOver = true
                return reducer.finish()
            }
        } catch {
            opening = error
        }
    }

    /// Ends the comparison.
    func finish() throws {
        if var reducer { try tracker?.push(reducer.finish()) }
        try tracker?.finish()
        resolve()
    }

    /// Computes offsets for newly located audio.
    private func resolve() {
        guard let tracker, let source, tracker.anchors.count > resolved else { return }
        let ratio = Double(sourceStream.sampleRate) / AudioReducer.rate
        for anchor in tracker.anchors[resolved...] {
            let place = Double(anchor.delivered - anchor.lag) * ratio
            guard let frame = frame(at: anchor.delivered), let due = source.time(of: Int64(place)) else { continue }
            let time = frame.time + (Double(anchor.delivered) - frame.sample) / AudioReducer.rate
            offsets.append(
                Offset(
                    section: frame.section,
                    segment: self.place(of: anchor.delivered).segment,
                    time: time,
                    offset: time - due.said,
                    counted: time - Double(anchor.delivered - anchor.lag) / AudioReducer.rate
                )
            )
            lastAnchor = anchor
        }
        resolved = tracker.anchors.count
    }

    /// The lag implied by timestamps that continue from the last known position.
    private func expectedLag(_ sample: Int) -> Int? {
        guard let lastAnchor, let from = frame(at: lastAnchor.delivered), let to = frame(at: sample),
            from.section == to.section
        else { return lastAnchor?.lag ?? 0 }
        let passed =
            to.time - from.time + (from.sample - to.sample + Double(sample - lastAnchor.delivered)) / AudioReducer.rate
        let place = Double(lastAnchor.delivered - lastAnchor.lag) + passed * AudioReducer.rate
        guard abs(place) < 1e12 else { return nil }
        return sample - Int(place)
    }

    /// The source stream's index.
    var sourceIndex: Int { sourceStream.index }

    /// The playlist time of measured audio, in seconds.
    func playlistTime(of offset: Offset) -> Double {
        guard starts.indices.contains(offset.segment) else { return 0 }
        let first = frames.first { $0.segment == offset.segment && $0.section == offset.section }
        return starts[offset.segment] + max(0, offset.time - (first?.time ?? offset.time))
    }

    private func frame(at sample: Int) -> (sample: Double, time: Double, segment: Int, section: Int)? {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].sample <= Double(sample) + 0.5 { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? frames[low - 1] : frames.first
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
