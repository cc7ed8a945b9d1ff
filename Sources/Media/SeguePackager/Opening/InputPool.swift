internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// A pool of opened inputs of one file, each used by one thread at a time.
final class InputPool: Sendable {
    let path: String
    /// Cached facts about the file.
    let findings: KeptFindings
    /// Parked decoders of the file.
    let decodings = ParkedDecodings()
    /// Recently decoded bitmap subtitles of the file.
    let captions = RecentCaptions()
    private let idle = Mutex<[Idle]>([])
    private let astray = Atomic(false)
    private let capacity: Int

    /// An idle input.
    private struct Idle {
        let input: MediaInput
        /// The next packet number of each enabled stream, if the input was read from the file's start.
        let places: [Int: Int]?

        /// The maximum number of packets before the wanted ones; nil if any was already passed or the streams differ.
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

    /// Creates a pool with at most `capacity` idle inputs.
    init(path: String, findings: KeptFindings = KeptFindings(), capacity: Int = 3) {
        self.path = path
        self.findings = findings
        self.capacity = capacity
    }

    /// True if a seek in this file has failed.
    var isHardToSeek: Bool {
        get { astray.load(ordering: .relaxed) }
        set { astray.store(newValue, ordering: .relaxed) }
    }

    /// Takes a used input if one is idle, preferring one without a useful position.
    func takeUsed(_ cancellation: Cancellation) -> MediaInput? {
        let taken = idle.withLock { idle in
            (idle.lastIndex { $0.places == nil } ?? idle.indices.last).map { idle.remove(at: $0) }
        }
        taken?.input.use(cancellation)
        return taken?.input
    }

    /// Takes the input that was read from the start to the nearest position before the wanted packets.
    ///
    /// If seeking does not work, as with music rendered from notes, this avoids rereading the file for each segment. At
    /// most `reach` packets may lie in between. Returns the next packet number of each stream.
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

    func openFresh(_ cancellation: Cancellation) throws(MediaError) -> MediaInput {
        try MediaInput(path: path, cancellation: cancellation)
    }

    /// Returns an input; a full pool closes the oldest one.
    func giveBack(_ input: MediaInput, at places: [Int: Int]? = nil) {
        input.use(Cancellation())
        idle.withLock {
            $0.append(Idle(input: input, places: places))
            if $0.count > capacity { $0.removeFirst() }
        }
    }
}
