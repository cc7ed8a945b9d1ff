internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// A few opened inputs of one file, lent out one thread at a time.
final class InputPool: Sendable {
    /// The file.
    let path: String
    /// What was found out about it before.
    let findings: KeptFindings
    /// Decoders that stand somewhere in it.
    let decodings = ParkedDecodings()
    private let idle = Mutex<[Idle]>([])
    private let astray = Atomic(false)
    private let capacity: Int

    /// An input that nobody uses.
    private struct Idle {
        let input: MediaInput
        /// Where it was read from the file's start: for each stream that it gives, the number of the next packet.
        let places: [Int: Int]?

        /// The number of packets lie before the wanted ones, in the stream where it is most; nil where some of them
        /// have been read or it does not give the same streams.
        func distance(to wanted: [Int: Int]) -> Int? {
            guard let places, places.count == wanted.count else { return nil }
            var most = 0
            for (stream, number) in wanted {
                guard let place = places[stream], place <= number else { return nil }
                most = max(most, number - place)
            }
            return most
        }
    }

    /// A pool that keeps at most `capacity` idle inputs.
    init(path: String, findings: KeptFindings = KeptFindings(), capacity: Int = 3) {
        self.path = path
        self.findings = findings
        self.capacity = capacity
    }

    /// True if seeking has led astray in this file.
    var isHardToSeek: Bool {
        get { astray.load(ordering: .relaxed) }
        set { astray.store(newValue, ordering: .relaxed) }
    }

    /// An input that was used before, if one is idle: rather one whose place is of no use.
    func takeUsed(_ cancellation: Cancellation) -> MediaInput? {
        let taken = idle.withLock { idle in
            (idle.lastIndex { $0.places == nil } ?? idle.indices.last).map { idle.remove(at: $0) }
        }
        taken?.input.use(cancellation)
        return taken?.input
    }

    /// The input that was read from the start to the nearest place before the wanted packets, if there is one.
    ///
    /// Where seeking leads nowhere, as in music that is rendered from notes, going on from there is what keeps the file
    /// from being read anew for each segment.
    ///
    /// - Parameters:
    ///   - wanted: For each stream that is wanted, the number of the first packet.
    ///   - reach: The number of packets may lie between.
    ///   - cancellation: Stops the reading.
    /// - Returns: The input, for the caller alone, and the number of the packet that each stream gives next.
    func takeUnderWay(
        towards wanted: [Int: Int],
        reach: Int,
        _ cancellation: Cancellation
    ) -> (input: MediaInput, places: [Int: Int])? {
        let taken = idle.withLock { idle in
            let near = idle.indices.compactMap { slot in
                idle[slot].distance(to: wanted).flatMap { $0 <= reach ? (slot: slot, distance: $0) : nil }
            }
            return near.min { $0.distance < $1.distance }.map { idle.remove(at: $0.slot) }
        }
        guard let taken, let places = taken.places else { return nil }
        taken.input.use(cancellation)
        return (taken.input, places)
    }

    /// An input that nothing was read from yet.
    func openFresh(_ cancellation: Cancellation) throws(MediaError) -> MediaInput {
        try MediaInput(path: path, cancellation: cancellation)
    }

    /// Takes an input back; of too many the one that was kept longest makes way.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - places: Where it was read from the file's start: for each stream that it gives, the number of the packet
    ///     that comes next.
    func giveBack(_ input: MediaInput, at places: [Int: Int]? = nil) {
        input.use(Cancellation())
        idle.withLock {
            $0.append(Idle(input: input, places: places))
            if $0.count > capacity { $0.removeFirst() }
        }
    }
}
