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
    private(set) var complaints: [String] = []
    private(set) var source: SourceAudio?
    private(set) var opening: (any Error)?

    private let path: String
    private let sourceStream: StreamInfo
    private let allowance: ContentAllowance
    private let reach: Double
    private let cancellation: Cancellation
    private let delivered = DeliveredAudio()
    private var timeline: DeliveredTimeline
    private var reducer: AudioReducer?
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
        (self.path, sourceStream, timeline) = (path, stream, DeliveredTimeline(starts: starts))
        (self.allowance, self.reach, self.cancellation) = (allowance, reach, cancellation)
    }

    /// Starts another section.
    func begin(section: Int) {
        timeline.begin(section: section)
        delivered.reset()
    }

    /// Adds a packet.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int, packedStart: Double?) throws {
        if let packedStart { timeline.packedTime = packedStart }
        do {
            try delivered.decode(packet, of: stream, segment: segment) { frame in try hear(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
            complaints.append("segment \(segment): \(error)")
        }
    }

    /// Ends a section.
    func end() throws {
        do {
            try delivered.drain { frame in try hear(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
        }
        delivered.reset()
    }

    private func hear(_ frame: Frame) throws {
        let planes = try delivered.samples(of: frame)
        guard let count = planes.first?.count, count > 0, frame.sampleRate > 0 else { return }
        if tracker == nil, opening == nil { open(frame) }
        guard tracker != nil else { return }
        if reducer?.ratio != Double(frame.sampleRate) / AudioReducer.rate {
            if var old = reducer { try tracker?.push(old.finish()) }
            reducer = AudioReducer(rate: Double(frame.sampleRate), channels: source?.channels ?? 0)
        }
        timeline.add(
            delivered.seconds(of: frame),
            length: Double(count) / Double(frame.sampleRate),
            segment: Int(frame.opaque)
        )
        if var reducer {
            let reduced = reducer.reduce(planes)
            self.reducer = reducer
            try tracker?.push(reduced)
        }
        resolve()
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
            let channels = frame.channels
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
            guard let frame = timeline.frame(at: anchor.delivered), let due = source.timeline.time(of: Int64(place))
            else { continue }
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
        guard let lastAnchor, let from = timeline.frame(at: lastAnchor.delivered),
            let to = timeline.frame(at: sample),
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
        timeline.playlistTime(of: offset.time, segment: offset.segment, section: offset.section)
    }

    /// The segment and the playlist time of a reduced sample.
    func place(of sample: Int) -> (segment: Int, seconds: Double) { timeline.place(of: sample) }
}
