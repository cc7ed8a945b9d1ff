import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// A prefetcher of the segments that follow a client's last request.
///
/// Client requests have priority: they count against the number of threads. Segments of clients that moved on or left
/// are cancelled.
final class SegmentPrefetcher: Sendable {
    /// A connection and the rendition that it plays.
    struct Viewer: Hashable, Sendable {
        /// The connection; nil for all unidentified clients.
        var client: ObjectIdentifier?
        var file: String
        /// The rendition, without a segment number.
        var piece: String

        init(_ client: Cancellation?, of rendition: DeliveredRendition) {
            self.client = client.map { ObjectIdentifier($0) }
            file = rendition.identity.path
            piece = "\(rendition.device.name) \(rendition.rendition.rawValue) \(rendition.container.rawValue)"
        }
    }

    private struct Job {
        var number: UInt64
        var segment: DeliveredSegment
        /// The distance from the requested segment.
        var distance: Int
        var viewers: Set<Viewer>
        let cancellation: Cancellation
        let make: @Sendable (Cancellation) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var running: [DeliveredSegment: Job] = [:]
        /// The segments that clients wait for, and the number of waiting clients.
        var demanded: [DeliveredSegment: Int] = [:]
        /// The connections whose end is observed.
        var clients: Set<ObjectIdentifier> = []
        var lastNumber: UInt64 = 0
        var isStopped = false

        /// The viewers of all prefetched segments.
        var viewers: Set<Viewer> { Set((waiting + running.values).flatMap(\.viewers)) }

        /// The number of segments being made.
        var busy: Int { running.count + demanded.keys.count { running[$0] == nil } }
    }

    /// The number of segments to prefetch.
    let count: Int
    private let state = Monitor(State())

    /// - Parameters:
    ///   - count: The number of segments to prefetch; 0 for none.
    ///   - threads: The maximum number of segments that are made at once, including client requests.
    init(count: Int, threads: Int) {
        self.count = count
        guard count > 0 else { return }
        for number in 0..<threads {
            WorkThread.begin("ahead \(number)") { [state] in Self.work(state, threads: threads) }
        }
    }

    deinit { stop() }

    /// Ends the threads and cancels their work.
    func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            state.waiting = []
            return state.running.values.map(\.cancellation)
        }
        for cancellation in running { cancellation.cancel() }
    }

    /// True while a segment is being prefetched.
    var isBusy: Bool { state.withLock { !$0.running.isEmpty } }

    /// Makes a segment for a client; in the meantime less is prefetched.
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

    /// Replaces the expected segments of a viewer.
    ///
    /// - Parameters:
    ///   - segments: The next segments in order, as many as are prefetched.
    ///   - make: Makes a segment and caches it.
    func expect(
        _ segments: [DeliveredSegment],
        for viewer: Viewer,
        make: @escaping @Sendable (DeliveredSegment, Cancellation) -> Void
    ) {
        guard count > 0 else { return }
        let wanted = Array(segments.prefix(count))
        let unwanted = state.withLock { state in
            guard !state.isStopped else { return [Cancellation]() }
            // A client that plays another file has left the former one.
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

    /// Cancels the segments of a client when it disconnects.
    func follow(_ client: Cancellation) {
        let id = ObjectIdentifier(client)
        guard state.withLock({ $0.clients.insert(id).inserted }) else { return }
        // The registration stays: it fires when the connection ends.
        _ = client.whenCancelled { [state] in
            let unwanted = state.withLock { state in
                state.clients.remove(id)
                return state.viewers.filter { $0.client == id }.flatMap { Self.leave($0, but: [], &state) }
            }
            for cancellation in unwanted { cancellation.cancel() }
        }
    }

    /// Blocks until a condition on the waiting and running segments holds; for tests.
    func wait(until condition: (_ waiting: [DeliveredSegment], _ running: [DeliveredSegment]) -> Bool) {
        state.wait { condition($0.waiting.map(\.segment), Array($0.running.keys)) }
    }

    /// Removes a viewer from all segments but some; returns the cancellations of segments without viewers.
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
            // A segment that a client waits for is not cancelled (see `demand`).
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
