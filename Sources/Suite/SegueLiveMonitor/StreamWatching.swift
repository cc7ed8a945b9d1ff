internal import Foundation
internal import SegueBase
package import SegueConformance
package import SegueFetch

/// Watches many streams at once.
package enum StreamWatching {
    /// What is watched, and how.
    package struct Settings: Sendable {
        /// The streams' playlists.
        package var streams: [String]
        /// For how long; nil for as long as the task is not cancelled.
        package var period: Duration?
        /// Where what comes is recorded, of several streams in a folder of its own each; nil for nowhere.
        package var recording: String?
        /// How many requests are under way at once, without those that servers hold.
        package var mostAtOnce = 64
        /// How each is watched.
        package var options = StreamWatch.Options()

        /// The usual way to watch some streams.
        package init(_ streams: [String]) { self.streams = streams }
    }

    /// A finding of one of the streams.
    package struct Finding: Sendable {
        /// The stream's playlist.
        package let stream: String
        /// When it was made, in seconds since 1970.
        package let date: Double
        /// What it is, and when, since the watch began.
        package let finding: LiveFinding
    }

    /// What came of one stream.
    package struct Outcome: Sendable {
        /// The watch as it is at its end.
        package let watch: StreamWatch
        /// What it found.
        package let log: FindingLog
    }

    /// Watches until the period is over, all streams have ended, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - board: Holds what is known for others; of as many streams.
    ///   - found: Gets each finding, on any thread.
    ///   - lost: Is told once for each stream whose recording cannot be written any longer.
    /// - Returns: What came of each stream, in their order.
    /// - Throws: ``RecordingError``, or `FetchError` when libcurl cannot be set up.
    package static func run(
        _ settings: Settings,
        board: StreamBoard? = nil,
        found: @escaping @Sendable (Finding) -> Void,
        lost: @escaping @Sendable (RecordingError) -> Void = { _ in }
    ) async throws -> [Outcome] {
        let gate = RequestGate(settings.mostAtOnce)
        let began = Date.now.timeIntervalSince1970
        let runners = try settings.streams.enumerated().map { number, url in
            try StreamRunner(
                url,
                options: settings.options,
                gate: gate,
                folder: settings.recording.map { folder(of: number, among: settings.streams.count, in: $0) },
                listener: StreamRunner.Listener(
                    found: { finding in
                        let date = began + finding.at.seconds
                        board?.found(finding.broken, in: number, at: date)
                        found(Finding(stream: url, date: date, finding: finding))
                    },
                    measured: { board?.measured($0, of: number) },
                    lost: lost
                )
            )
        }
        return await withTaskGroup(of: (Int, Outcome)?.self) { group in
            for (number, runner) in runners.enumerated() {
                group.addTask {
                    // Not all at the same instant.
                    try? await Task.sleep(for: .milliseconds(10 * number))
                    let (watch, log) = await runner.run()
                    return (number, Outcome(watch: watch, log: log))
                }
            }
            if let period = settings.period {
                group.addTask {
                    // So long it was asked to watch.
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
