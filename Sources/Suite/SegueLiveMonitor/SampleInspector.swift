internal import SegueConcurrency
package import SegueConformance

/// Inspects the samples of all streams on one thread, and decodes as many as a share of a core allows.
package final class SampleInspector: Sendable {
    private struct Job: Sendable {
        let sample: MediaSample
        let continuation: CheckedContinuation<SampleResult, Never>
    }

    private struct State: Sendable {
        var jobs: [Job] = []
        var bytes = 0
        /// The number of samples that are being loaded.
        var loading = 0
        var isClosed = false
    }

    /// The share of a core for decoding.
    package static let decodingShare = 0.25
    /// The decoding time that may be saved up, in seconds.
    private static let savingLimit = 2.0
    private static let jobLimit = 16
    private static let byteLimit = 64 << 20

    private let state = Monitor(State())

    /// - Parameter decoder: Creates a decoder for one segment; nil to decode nothing.
    package init(decoder: (@Sendable () -> any SegmentDecoding)?) {
        WorkThread.begin("watch-media") { [state] in Self.work(state, decoder) }
    }

    /// Reserves the place of a sample that is to be loaded; false if too many others wait.
    ///
    /// Each reservation must be released when the response is there.
    func reserve() -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.jobs.count + state.loading < Self.jobLimit else { return false }
            state.loading += 1
            return true
        }
    }

    func release() { state.withLock { $0.loading -= 1 } }

    /// Inspects a sample; leaves it out if too many others wait.
    func inspect(_ sample: MediaSample) async -> SampleResult {
        await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                guard !state.isClosed, state.jobs.count < Self.jobLimit,
                    state.jobs.isEmpty || state.bytes + sample.size <= Self.byteLimit
                else { return false }
                state.jobs.append(Job(sample: sample, continuation: continuation))
                state.bytes += sample.size
                return true
            }
            if !isTaken { continuation.resume(returning: SampleResult(leavingOut: sample)) }
        }
    }

    /// Ends the thread after the waiting samples.
    func close() { state.withLock { $0.isClosed = true } }

    private static func work(_ state: Monitor<State>, _ decoder: (@Sendable () -> any SegmentDecoding)?) {
        var saved = savingLimit
        var last = ContinuousClock.now
        while true {
            let job: Job? = state.wait { state -> Job?? in
                guard !state.jobs.isEmpty else { return state.isClosed ? .some(nil) : nil }
                let job = state.jobs.removeFirst()
                state.bytes -= job.sample.size
                return job
            }
            guard let job else { return }
            let now = ContinuousClock.now
            saved = min(savingLimit, saved + decodingShare * ((now - last) / .seconds(1)))
            last = now
            let result = job.sample.inspected(by: saved > 0 ? decoder?() : nil)
            saved -= (ContinuousClock.now - now) / .seconds(1)
            job.continuation.resume(returning: result)
        }
    }
}
