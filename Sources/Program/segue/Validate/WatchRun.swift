import Foundation
import Glibc
import SegueConformance
import SegueFetch
import SegueLiveMonitor
import Synchronization

/// Watches streams until a signal or their end, tells what is found, and prints the reports.
struct WatchRun {
    let settings: StreamWatching.Settings
    var profile = Profile.all
    var waivers: [Waiver] = []
    var isQuiet = false
    /// What one look at the only stream found before.
    var look = ValidationLook()
    var board: StreamBoard?
    var lines: FindingFile?

    /// Watches.
    ///
    /// - Parameter server: What is to go on meanwhile; that it fails is a failure.
    /// - Returns: The report of each stream, which has been printed.
    /// - Throws: ``CommandFailure`` where it cannot be begun, or the server fails.
    func reports(besides server: Task<Void, any Error>? = nil) async throws -> [ValidationReport] {
        let (settings, profile, isQuiet, board, lines) = (settings, profile, isQuiet, board, lines)
        let watching = Task {
            try await StreamWatching.run(settings, board: board) { finding in
                lines?.add(finding.json)
                if !isQuiet, let text = finding.text(in: profile) { StandardOutput.write(text + "\n") }
            } lost: { error in
                StandardError.write("segue: \(error); the watch goes on without a recording\n")
            }
        }
        let signals = EndingSignals { _ in watching.cancel() }
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
        server?.cancel()
        do { try await failing.value } catch { throw CommandFailure(error) }
        return outcomes.map { print($0.watch, $0.log) }
    }

    /// Watches a recording again.
    func replay(_ folder: String) throws -> ValidationReport {
        let recorded: RecordingFolder
        do { recorded = try RecordingFolder(folder) } catch { throw CommandFailure(error) }
        guard let (watch, log) = StreamReplay.watch(recorded.recording, body: recorded.body(of:)) else {
            throw CommandFailure(folder, "nothing was recorded")
        }
        return print(watch, log)
    }

    private func print(_ watch: StreamWatch, _ log: FindingLog) -> ValidationReport {
        let (report, figures) = log.report(of: watch, after: look, profile: profile, waivers: waivers)
        if !isQuiet { StandardOutput.write(report.text + figures + "\n") }
        return report
    }
}

/// A file of findings, a line each.
final class FindingFile: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32>

    /// - Throws: ``CommandFailure`` when it cannot be written.
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
        if written != bytes.count { StandardError.write("segue: \(path): a line could not be written whole\n") }
    }
}
