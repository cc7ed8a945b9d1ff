import Foundation
import Glibc
import SegueConformance
import SegueFetch
import SegueLiveMonitor
import Synchronization

/// Watches streams until a signal or their end, and prints findings and reports.
struct WatchRun {
    let settings: StreamWatching.Settings
    var profile = Profile.usual
    var waivers: [Waiver] = []
    var isQuiet = false
    /// The result of the single check before the watch.
    var look = ValidationLook()
    var board: StreamBoard?
    var alerts: AlertSender?
    var lines: FindingFile?

    /// Runs the watch.
    ///
    /// `server` is a task that runs alongside; its failure ends the watch. Returns the printed report of each stream.
    ///
    /// - Throws: ``CommandFailure`` if the watch cannot start or the server fails.
    func reports(besides server: Task<Void, any Error>? = nil) async throws -> [ValidationReport] {
        let (settings, profile, isQuiet, board, lines) = (settings, profile, isQuiet, board, lines)
        let alerts = alerts
        let watching = Task {
            try await StreamWatching.run(settings, board: board, alerts: alerts) { finding in
                lines?.add(finding.json(in: profile))
                if !isQuiet, let text = finding.text(in: profile) { StandardOutput.write(text + "\n") }
            } lost: { error in
                StandardError.write("segue: \(error); the watch continues without a recording\n")
            }
        }
        let signals = TerminationSignals { _ in watching.cancel() }
        defer { signals.stop() }
        let failing = Task {
            do {
                try await server?.value
            } catch {
                watching.cancel()
                throw error
            }
        }
        let outcomes: [StreamWatching.Outcome]
        do { outcomes = try await watching.value } catch { throw CommandFailure(error) }
        await alerts?.finish()
        server?.cancel()
        do { try await failing.value } catch { throw CommandFailure(error) }
        return outcomes.map { print($0.watch, $0.log) }
    }

    /// Replays a recording.
    func replay(_ folder: String) throws -> ValidationReport {
        let recorded: RecordingFolder
        do { recorded = try RecordingFolder(folder) } catch { throw CommandFailure(error) }
        let replay = StreamReplay.watch(
            recorded.recording,
            options: settings.options,
            decoder: settings.decoder,
            body: recorded.body(of:)
        )
        guard let (watch, log) = replay else {
            throw CommandFailure(folder, "the recording is empty")
        }
        return print(watch, log)
    }

    private func print(_ watch: StreamWatch, _ log: FindingLog) -> ValidationReport {
        let (report, figures) = log.report(of: watch, after: look, profile: profile, waivers: waivers)
        if !isQuiet { StandardOutput.write(report.text + figures + "\n") }
        return report
    }
}

/// A JSON Lines file of findings.
final class FindingFile: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32>

    /// - Throws: ``CommandFailure`` if it cannot be written.
    init(_ path: String) throws {
        self.path = path
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw CommandFailure(path, String(cString: strerror(errno))) }
        descriptor = Mutex(opened)
    }

    deinit { descriptor.withLock { _ = close($0) } }

    func add(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        let written = descriptor.withLock { write($0, bytes, bytes.count) }
        if written != bytes.count { StandardError.write("segue: \(path): a line could not be written completely\n") }
    }
}
