internal import CSegueSystem
internal import Foundation
internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SegueVerification
internal import SystemPackage

/// Starts workers as forked copies of this process.
///
/// A copy inherits the linked libraries, of which libav needs over a hundred, and the data files in memory. Executing
/// the program for each file would take about twenty times as long; so this is the one place that needs a plain fork.
///
/// A copy contains only the forking thread. This process must therefore have a single thread until the last worker has
/// started: no task, no dispatch queue, and no thread of libav.
package struct ForkedWorker {
    private let data: CaseData
    private let most: Int
    private let verified: VerifiedContent?
    private let connect: (Title) throws -> any TitleServer
    private let real: (any RealPlaying)?

    /// Reads the data files of a suite.
    ///
    /// `most` is the maximum number of cores of a worker. `verified` are earlier verifications; nil for none. `real` is
    /// the factory for real players, used in the worker; nil for none. `connect` creates the client of a title's
    /// server, in the worker.
    ///
    /// - Throws: ``HarnessError`` for an error in them.
    package init(
        _ suite: Suite,
        most: Int,
        verified: VerifiedContent? = nil,
        real: (any RealPlaying)? = nil,
        connect: @escaping (Title) throws -> any TitleServer
    ) throws {
        data = try CaseData(suite.sources)
        self.most = most
        self.verified = verified
        self.connect = connect
        self.real = real
    }

    /// Starts a worker.
    ///
    /// `cores` is the initial number of cores. Returns the process number; in the worker it does not return.
    ///
    /// - Throws: `Errno`.
    package func start(_ task: FileTask, cores: Int, files: WorkerFiles) throws -> Int32 {
        let process = sproc_fork()
        if process < 0 { throw Errno(rawValue: errno) }
        if process > 0 { return process }
        for (place, file) in [files.told, files.output, files.words].enumerated() { dup2(file, Int32(place)) }
        do {
            let granted = Cores(cores, most: most)
            if granted.most > cores { Self.listen(on: files.line, granted) }
            let progress = FileProgress(path: task.path)
            ProgressReporter.begin(progress, to: STDIN_FILENO)
            var output = OutcomeWriter(.standardOutput)
            var clock = CaseClock()
            let tell = { (outcome: CaseOutcome) in
                var outcome = outcome
                outcome.cost = clock.lap()
                try output.write(outcome)
                // The outcome is visible at once, and survives a crash in a later case.
                _ = try output.flush()
            }
            if let title = task.title {
                let server = try connect(title)
                let bodies = try TitleBodies()
                var runner = TitleRunner(task: task, title: title, data: data, server: server, bodies: bodies)
                (runner.verified, runner.progress, runner.cores, runner.real) = (verified, progress, granted, real)
                try runner.run(tell)
            } else {
                let runner = FileRunner(
                    task: task,
                    data: data,
                    verified: verified,
                    progress: progress,
                    cores: granted,
                    real: real
                )
                try runner.run(tell)
            }
            _exit(0)
        } catch {
            _ = try? FileDescriptor.standardError.writeAll("segue: \(error)\n".utf8)
            // An encoding failure is the file's fault; everything else is the machine's.
            _exit(error is EncodingError ? WorkerEnding.failed : WorkerEnding.refused)
        }
    }

    /// Grants a core for each byte received.
    private static func listen(on line: Int32, _ cores: Cores) {
        WorkThread.begin("cores") {
            var byte: UInt8 = 0
            while read(line, &byte, 1) == 1 { cores.grant() }
        }
    }
}
