internal import Foundation
internal import SegueBase
package import SegueConformance
package import SegueFetch

/// Watches many streams at the same time.
package enum StreamWatching {
    package struct Settings: Sendable {
        /// The playlist URLs of the streams.
        package var streams: [String]
        /// The duration; nil for until the task is canceled.
        package var period: Duration?
        /// The folder for recordings, with a subfolder for each of several streams; nil for none.
        package var recording: String?
        /// The maximum number of concurrent requests, not counting those that servers block.
        package var mostAtOnce = 64
        package var options = StreamWatch.Options()
        /// The maximum number of requests per second; nil for no limit.
        package var rate: Double?
        /// The maximum average rate of samples of all streams in bytes per second.
        package var mediaRate = 4e6
        /// Creates a decoder for one segment; nil to decode nothing.
        package var decoder: (@Sendable () -> any SegmentDecoding)?

        /// The default settings.
        package init(_ streams: [String]) { self.streams = streams }
    }

    package struct Finding: Sendable {
        /// The playlist URL of the stream.
        package let stream: String
        /// The time, in seconds since 1970.
        package let date: Double
        /// The finding, with its time since the watch began.
        package let finding: LiveFinding
    }

    /// The result for one stream.
    package struct Outcome: Sendable {
        /// The watch at its end.
        package let watch: StreamWatch
        package let log: FindingLog
    }

    /// Watches until the period ends, all streams end, or the task is canceled.
    ///
    /// `board` is the status to update; it has an entry for each stream. `alerts` gets each finding. `found` receives each finding, on any thread.
    /// `lost` is called once for each stream whose recording can no longer be written. Returns the outcomes in the
    /// order of the streams.
    ///
    /// - Throws: ``RecordingError``, or `FetchError` when libcurl cannot be set up.
    package static func run(
        _ settings: Settings,
        board: StreamBoard? = nil,
        alerts: AlertSender? = nil,
        found: @escaping @Sendable (Finding) -> Void,
        lost: @escaping @Sendable (RecordingError) -> Void = { _ in }
    ) async throws -> [Outcome] {
        let shared = StreamRunner.Shared(
            gate: RequestGate(settings.mostAtOnce),
            pace: RequestPace(rate: settings.rate),
            inspector: SampleInspector(decoder: settings.decoder)
        )
        defer { shared.inspector.close() }
        var options = settings.options
        options.mediaRate = settings.mediaRate / Double(max(1, settings.streams.count))
        let began = Date.now.timeIntervalSince1970
        let runners = try settings.streams.enumerated().map { number, url in
            try StreamRunner(
                url,
                options: options,
                sharing: shared,
                folder: settings.recording.map { folder(of: number, among: settings.streams.count, in: $0) },
                listener: StreamRunner.Listener(
                    found: { finding in
                        let date = began + finding.at.seconds
                        board?.found(finding.broken, in: number, at: date)
                        let finding = Finding(stream: url, date: date, finding: finding)
                        alerts?.take(finding)
                        found(finding)
                    },
                    measured: { figures, broken in
                        let date = Date.now.timeIntervalSince1970
                        board?.measured(figures, broken: broken, of: number, at: date)
                        alerts?.settle(url, broken: broken)
                    },
                    ended: { alerts?.end(url) },
                    lost: lost
                )
            )
        }
        return await outcomes(of: runners, within: settings.period)
    }

    private static func outcomes(of runners: [StreamRunner], within period: Duration?) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome)?.self) { group in
            for (number, runner) in runners.enumerated() {
                group.addTask {
                    // Starts are spread so that not all requests are sent at once.
                    try? await Task.sleep(for: .milliseconds(10 * number))
                    let (watch, log) = await runner.run()
                    return (number, Outcome(watch: watch, log: log))
                }
            }
            if let period {
                group.addTask {
                    // The period ends the watch.
                    try? await Task.sleep(for: period)
                    return nil
                }
            }
            var outcomes: [Int: Outcome] = [:]
            while outcomes.count < runners.count, let next = await group.next() {
                guard let (number, outcome) = next else {
                    group.cancelAll()
                    continue
                }
                outcomes[number] = outcome
            }
            group.cancelAll()
            return outcomes.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private static func folder(of number: Int, among count: Int, in parent: String) -> String {
        count == 1 ? parent : URL(fileURLWithPath: parent).appendingPathComponent("\(number + 1)").path
    }
}
