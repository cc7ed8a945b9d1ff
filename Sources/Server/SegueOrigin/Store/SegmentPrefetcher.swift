import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// Has segments made before they are asked for: those that follow the one that a client asked for last.
///
/// What a client asks for goes first: no more is made at once than there are threads, what clients wait for included.
/// What nobody will want any more, since its client went elsewhere or has gone, is taken back or stopped.
final class SegmentPrefetcher: Sendable {
    /// Who asks: a connection, and what it plays over it.
    struct Viewer: Hashable, Sendable {
        /// The connection; nil for all that are not told apart.
        var client: ObjectIdentifier?
        /// The file that is played.
        var file: String
        /// What of it, but for the segment's number.
        var piece: String

        /// A connection over which a rendition is played.
        init(_ client: Cancellation?, of rendition: DeliveredRendition) {
            self.client = client.map { ObjectIdentifier($0) }
            file = rendition.identity.path
            piece = "\(rendition.device.name) \(rendition.rendition.rawValue) \(rendition.container.rawValue)"
        }
    }

    private struct Job {
        var number: UInt64
        var segment: DeliveredSegment
        /// How many segments after the one asked for it comes.
        var distance: Int
        var viewers: Set<Viewer>
        let cancellation: Cancellation
        let make: @Sendable (Cancellation) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var running: [DeliveredSegment: Job] = [:]
        /// What clients wait for, and how many of them.
        var demanded: [DeliveredSegment: Int] = [:]
        /// Connections whose end will be told.
        var clients: Set<ObjectIdentifier> = []
        var lastNumber: UInt64 = 0
        var isStopped = false

        /// Everybody for whom something is or will be made.
        var viewers: Set<Viewer> { Set((waiting + running.values).flatMap(\.viewers)) }

        /// How many pieces of work are done now.
        var busy: Int { running.count + demanded.keys.count { running[$0] == nil } }
    }

    /// How many segments after the one asked for are made.
    let count: Int
    private let state = Monitor(State())

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - count: How many segments after the one asked for are made; 0 for none.
    ///   - threads: How many are made at once, those that clients wait for included.
    init(count: Int, threads: Int) {
        self.count = count
        guard count > 0 else { return }
        for number in 0..<threads {
            WorkThread.begin("ahead \(number)") { [state] in Self.work(state, threads: threads) }
        }
    }

    deinit { stop() }

    /// Ends the threads, and stops what they are at.
    func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            state.waiting = []
            return state.running.values.map(\.cancellation)
        }
        for cancellation in running { cancellation.cancel() }
    }

    /// Whether something is made that nobody has asked for yet.
    var isBusy: Bool { state.withLock { !$0.running.isEmpty } }

    /// Does what a client waits for; meanwhile so much less is made ahead.
    func demand<Value>(_ segment: DeliveredSegment, _ work: () throws -> Value) rethrows -> Value {
        state.withLock { state in
            state.demanded[segment, default: 0] += 1
            state.waiting.removeAll { $0.segment == segment }
        }
        defer {
            let unwanted: Cancellation? = state.withLock { state in
                let left = (state.demanded[segment] ?? 1) - 1
                state.demanded[segment] = left > 0 ? left : nil
                guard left <= 0, let job = state.running[segment], job.viewers.isEmpty else { return nil }
                return job.cancellation
            }
            unwanted?.cancel()
        }
        return try work()
    }

    /// Says what a viewer will want next, in place of what was said before.
    ///
    /// - Parameters:
    ///   - segments: The segments, the next one first; as many of them as are made ahead.
    ///   - viewer: Who will want them.
    ///   - make: Makes one of them and keeps it.
    func expect(
        _ segments: [DeliveredSegment],
        for viewer: Viewer,
        make: @escaping @Sendable (DeliveredSegment, Cancellation) -> Void
    ) {
        guard count > 0 else { return }
        let wanted = Array(segments.prefix(count))
        let unwanted = state.withLock { state in
            guard !state.isStopped else { return [Cancellation]() }
            // A client that plays another file has left the one before.
            let elsewhere = state.viewers.filter {
                $0.client != nil && $0.client == viewer.client && $0.file != viewer.file
            }
            let unwanted =
                Self.leave(viewer, but: Set(wanted), &state) + elsewhere.flatMap { Self.leave($0, but: [], &state) }
            for (distance, segment) in wanted.enumerated() where state.demanded[segment] == nil {
                if state.running[segment] != nil {
                    state.running[segment]?.viewers.insert(viewer)
                } else if let place = state.waiting.firstIndex(where: { $0.segment == segment }) {
                    state.waiting[place].viewers.insert(viewer)
                    state.waiting[place].distance = min(state.waiting[place].distance, distance)
                } else {
                    state.lastNumber += 1
                    let job = Job(
                        number: state.lastNumber,
                        segment: segment,
                        distance: distance,
                        viewers: [viewer],
                        cancellation: Cancellation(),
                        make: { make(segment, $0) }
                    )
                    state.waiting.append(job)
                }
            }
            return unwanted
        }
        for cancellation in unwanted { cancellation.cancel() }
    }

    /// Takes back what is only for a client when it goes, or at once where it has gone.
    func follow(_ client: Cancellation) {
        let id = ObjectIdentifier(client)
        guard state.withLock({ $0.clients.insert(id).inserted }) else { return }
        // Not forgotten: it is cancelled when the connection ends, however that comes.
        _ = client.whenCancelled { [state] in
            let unwanted = state.withLock { state in
                state.clients.remove(id)
                return state.viewers.filter { $0.client == id }.flatMap { Self.leave($0, but: [], &state) }
            }
            for cancellation in unwanted { cancellation.cancel() }
        }
    }

    /// Blocks until a condition on what waits and what is made ahead holds; a test's way to know of it.
    func wait(until condition: (_ waiting: [DeliveredSegment], _ running: [DeliveredSegment]) -> Bool) {
        state.wait { condition($0.waiting.map(\.segment), Array($0.running.keys)) }
    }

    /// Takes a viewer from all work but some; the cancellations of what nobody wants any more.
    private static func leave(_ viewer: Viewer, but kept: Set<DeliveredSegment>, _ state: inout State) -> [Cancellation]
    {
        for place in state.waiting.indices where !kept.contains(state.waiting[place].segment) {
            state.waiting[place].viewers.remove(viewer)
        }
        state.waiting.removeAll { $0.viewers.isEmpty }
        var unwanted: [Cancellation] = []
        for segment in state.running.keys where !kept.contains(segment) {
            guard state.running[segment]?.viewers.remove(viewer) != nil, let job = state.running[segment]
            else { continue }
            // A client that waits for it is told of no cancellation; see `demand`.
            if job.viewers.isEmpty, state.demanded[segment] == nil { unwanted.append(job.cancellation) }
        }
        return unwanted
    }

    private static func work(_ state: Monitor<State>, threads: Int) {
        while true {
            let job: Job? = state.wait { state in
                if state.isStopped { return .some(nil) }
                guard state.busy < threads,
                    let place = state.waiting.indices.min(by: { Self.isBefore(state.waiting[$0], state.waiting[$1]) })
                else { return nil }
                let job = state.waiting.remove(at: place)
                state.running[job.segment] = job
                return .some(job)
            }
            guard let job else { return }
            job.make(job.cancellation)
            state.withLock { $0.running[job.segment] = nil }
        }
    }

    private static func isBefore(_ job: Job, _ other: Job) -> Bool {
        (job.distance, job.number) < (other.distance, other.number)
    }
}
