internal import Foundation
internal import SegueBase
package import SegueConformance
package import SegueFetch

/// Watches one stream over the network until the task is canceled or the stream ends.
package actor StreamRunner {
    /// The callbacks of a runner.
    package struct Listener: Sendable {
        /// Called for each violation.
        package var found: @Sendable (LiveFinding) -> Void
        /// Called with the current figures, and the rules that are broken at the moment, after each response.
        package var measured: @Sendable (WatchFigures, Set<HeldCondition>) -> Void
        /// Called once after the last finding.
        package var ended: @Sendable () -> Void
        /// Called once when the recording can no longer be written.
        package var lost: @Sendable (RecordingError) -> Void

        package init(
            found: @escaping @Sendable (LiveFinding) -> Void = { _ in },
            measured: @escaping @Sendable (WatchFigures, Set<HeldCondition>) -> Void = { _, _ in },
            ended: @escaping @Sendable () -> Void = {},
            lost: @escaping @Sendable (RecordingError) -> Void = { _ in }
        ) {
            (self.found, self.measured, self.ended, self.lost) = (found, measured, ended, lost)
        }
    }

    /// The resources that the runners of a watch share.
    struct Shared: Sendable {
        let gate: RequestGate
        let pace: RequestPace
        let inspector: SampleInspector
    }

    private let fetcher: WatchFetcher
    private let shared: Shared
    private let listener: Listener
    private let began = ContinuousClock.now
    private let clock: Double
    private var watch: StreamWatch
    private var log = FindingLog()
    private var recording: RecordingWriter?
    private var isFirst = true
    private var last = Instant.zero

    /// `folder` is the folder for the recording; nil for none.
    ///
    /// - Throws: ``RecordingError``, or ``FetchError`` when libcurl cannot be set up.
    init(
        _ url: String,
        options: StreamWatch.Options,
        sharing shared: Shared,
        folder: String?,
        listener: Listener
    ) throws {
        (self.shared, self.listener) = (shared, listener)
        clock = (Date.now.timeIntervalSince1970 * 1000).rounded() / 1000
        fetcher = try WatchFetcher()
        watch = StreamWatch(url, clock: clock, options: options)
        recording = try folder.map { try RecordingWriter($0) }
    }

    private var now: Instant { Instant(microseconds: (ContinuousClock.now - began).seconds) }

    /// Runs the watch, and returns it with its findings.
    package func run() async -> (watch: StreamWatch, log: FindingLog) {
        let (wanted, want) = AsyncStream.makeStream(of: WatchRequest.self)
        let first = watch.begin(at: now)
        // A discarding group keeps no results, however long the watch lasts.
        await withDiscardingTaskGroup { group in
            for request in first { want.yield(request) }
            for await request in wanted {
                group.addTask { await self.carryOut(request, want) }
                // Requests of an ended stream are canceled.
                if watch.hasEnded { break }
            }
            want.finish()
            group.cancelAll()
            fetcher.close()
        }
        note(watch.finish())
        listener.ended()
        do throws(RecordingError) { try recording?.close() } catch { listener.lost(error) }
        return (watch, log)
    }

    /// The time after which a pending request no longer counts against the limit.
    private static let patience = Duration.seconds(2)

    nonisolated private func carryOut(
        _ request: WatchRequest,
        _ want: AsyncStream<WatchRequest>.Continuation
    ) async {
        let wait = await request.at - now
        let place: RequestPace.Place
        do {
            // A reload is due at a time.
            if wait > .zero { try await Task.sleep(for: wait) }
            place = shared.pace.place(for: request.url)
            let delay = place.at - .now
            if delay > .zero { try await Task.sleep(for: delay) }
            try Task.checkCancellation()
        } catch {
            return
        }
        // What cannot be inspected need not be loaded.
        let isReserved = request.isSample && shared.inspector.reserve()
        var request = request
        if request.isSample, !isReserved { request = await decline(request) }
        let gate = shared.gate
        let ticket = request.mayBlock ? nil : await gate.enter()
        // A silent server must not delay the watch of other streams.
        let patience = Task {
            try? await Task.sleep(for: Self.patience)
            if let ticket { await gate.leave(ticket) }
        }
        let begun = await now
        let answer = await fetcher.fetch(request, limit: watchLimit(request))
        patience.cancel()
        if isReserved { shared.inspector.release() }
        if let ticket { await gate.leave(ticket) }
        guard !Task.isCancelled else { return }
        let step = await receive(answer, to: request, begun: begun, after: place.before)
        for next in step.requests { want.yield(next) }
        for sample in step.samples {
            for next in await take(shared.inspector.inspect(sample)) { want.yield(next) }
        }
        if await watch.hasEnded { want.finish() }
    }

    private func decline(_ request: WatchRequest) -> WatchRequest { watch.decline(request) }

    private func take(_ result: SampleResult) -> [WatchRequest] {
        let step = watch.take(result)
        note(step.findings)
        listener.measured(watch.figures, watch.broken)
        return step.requests
    }

    /// The maximum number of bytes of a response.
    nonisolated private func watchLimit(_ request: WatchRequest) -> Int {
        request.most ?? (request.method == .get ? StreamWatch.Options().mostBytes : 64 << 20)
    }

    private func receive(
        _ answer: WatchFetcher.Answer,
        to request: WatchRequest,
        begun: Instant,
        after requests: Int
    ) -> WatchStep {
        // Distinct end times preserve this order in a replay.
        let ended = max(now, last + .microseconds(1))
        last = ended
        var taken = WatchResponse(
            method: request.method,
            url: request.url,
            began: min(begun, ended),
            ended: ended,
            status: answer.status
        )
        taken.headers = RecordedExchange.headers(answer.headers)
        taken.finalURL = answer.url
        (taken.bytes, taken.span, taken.requestsBefore) = (answer.bytes, request.span, requests)
        (taken.failure, taken.connection) = (answer.failure.map { Message(quoting: $0) }, answer.connection)
        record(taken, answer)
        // Too many requests concern the whole server, another failure the resource.
        if taken.status == 429, let wait = taken.retryAfter { shared.pace.hold(request.url, for: wait) }
        let step = watch.take(taken)
        note(step.findings)
        listener.measured(watch.figures, watch.broken)
        return step
    }

    private func note(_ findings: [LiveFinding]) {
        for finding in findings {
            log.add(finding)
            listener.found(finding)
        }
    }

    private func record(_ taken: WatchResponse, _ answer: WatchFetcher.Answer) {
        guard let recording else { return }
        var exchange = RecordedExchange(taken, headers: answer.headers)
        if isFirst { exchange.clock = clock }
        isFirst = false
        do throws(RecordingError) {
            try recording.add(exchange, body: taken.bytes)
        } catch {
            self.recording = nil
            listener.lost(error)
        }
    }
}
