internal import Foundation
internal import SegueBase
package import SegueConformance
package import SegueFetch

/// Watches one stream over the network until its task is cancelled or the stream has ended.
package actor StreamRunner {
    /// What a runner tells of.
    package struct Listener: Sendable {
        /// A rule was broken.
        package var found: @Sendable (LiveFinding) -> Void
        /// An answer was taken; the watch as it is then.
        package var measured: @Sendable (WatchFigures) -> Void
        /// The recording cannot be written any longer.
        package var lost: @Sendable (RecordingError) -> Void

        /// A listener.
        package init(
            found: @escaping @Sendable (LiveFinding) -> Void = { _ in },
            measured: @escaping @Sendable (WatchFigures) -> Void = { _ in },
            lost: @escaping @Sendable (RecordingError) -> Void = { _ in }
        ) {
            (self.found, self.measured, self.lost) = (found, measured, lost)
        }
    }

    private let fetcher: WatchFetcher
    private let gate: RequestGate
    private let listener: Listener
    private let began = ContinuousClock.now
    private let clock: Double
    private var watch: StreamWatch
    private var log = FindingLog()
    private var recording: RecordingWriter?
    private var isFirst = true
    private var last = Instant.zero

    /// A runner.
    ///
    /// - Parameters:
    ///   - folder: Where what comes is recorded; nil for nowhere.
    /// - Throws: ``RecordingError``, or ``FetchError`` when libcurl cannot be set up.
    init(
        _ url: String,
        options: StreamWatch.Options,
        gate: RequestGate,
        folder: String?,
        listener: Listener
    ) throws {
        (self.gate, self.listener) = (gate, listener)
        clock = (Date.now.timeIntervalSince1970 * 1000).rounded() / 1000
        fetcher = try WatchFetcher()
        watch = StreamWatch(url, clock: clock, options: options)
        recording = try folder.map { try RecordingWriter($0) }
    }

    private var now: Instant { Instant(microseconds: (ContinuousClock.now - began).seconds) }

    /// Watches.
    ///
    /// - Returns: The watch at its end, and what it found.
    package func run() async -> (watch: StreamWatch, log: FindingLog) {
        let (wanted, want) = AsyncStream.makeStream(of: WatchRequest.self)
        let first = watch.begin(at: now)
        // One that keeps nothing of what has ended, however long it goes on.
        await withDiscardingTaskGroup { group in
            for request in first { want.yield(request) }
            for await request in wanted {
                group.addTask { await self.carryOut(request, want) }
                // What has ended is let go.
                if watch.hasEnded { break }
            }
            want.finish()
            group.cancelAll()
            fetcher.close()
        }
        note(watch.finish())
        do throws(RecordingError) { try recording?.close() } catch { listener.lost(error) }
        return (watch, log)
    }

    /// For how long a request counts among those that are under way.
    private static let patience = Duration.seconds(2)

    nonisolated private func carryOut(
        _ request: WatchRequest,
        _ want: AsyncStream<WatchRequest>.Continuation
    ) async {
        let wait = await request.at - now
        do {
            // A playlist is asked for again when it is due, which only the clock tells.
            if wait > .zero { try await Task.sleep(for: wait) }
            try Task.checkCancellation()
        } catch {
            return
        }
        let ticket = request.mayBlock ? nil : await gate.enter()
        // A server that says nothing does not hold up the watch of others.
        let patience = Task {
            try? await Task.sleep(for: Self.patience)
            if let ticket { await gate.leave(ticket) }
        }
        let begun = await now
        let answer = await fetcher.fetch(request, limit: watchLimit(request))
        patience.cancel()
        if let ticket { await gate.leave(ticket) }
        guard !Task.isCancelled else { return }
        for next in await take(request, begun, answer) { want.yield(next) }
        if await watch.hasEnded { want.finish() }
    }

    /// The most bytes of an answer.
    nonisolated private func watchLimit(_ request: WatchRequest) -> Int {
        request.most ?? (request.method == .get ? StreamWatch.Options().mostBytes : 64 << 20)
    }

    private func take(_ request: WatchRequest, _ begun: Instant, _ answer: WatchFetcher.Answer) -> [WatchRequest] {
        // Two answers do not end at the same instant, so that a replay has them in this order.
        let ended = max(now, last + .microseconds(1))
        last = ended
        let taken = WatchAnswer(
            method: request.method,
            url: request.url,
            began: min(begun, ended),
            ended: ended,
            status: answer.status,
            headers: RecordedExchange.headers(answer.headers),
            finalURL: answer.url,
            bytes: answer.bytes,
            failure: answer.failure
        )
        record(taken, answer)
        let step = watch.take(taken)
        note(step.findings)
        listener.measured(watch.figures)
        return step.requests
    }

    private func note(_ findings: [LiveFinding]) {
        for finding in findings {
            log.add(finding)
            listener.found(finding)
        }
    }

    private func record(_ taken: WatchAnswer, _ answer: WatchFetcher.Answer) {
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
