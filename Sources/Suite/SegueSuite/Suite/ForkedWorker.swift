internal import CSegueSystem
internal import Foundation
internal import Glibc
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SegueVerification
internal import SystemPackage

/// Starts workers as copies of this process.
///
/// A copy has all that this process has: its libraries, of which libav brings over a hundred, are linked, and the data
/// files are read. Starting the program anew for each file would take some twenty times as long.
///
/// Only the thread that makes the copy is in it. So this process has one thread until the last worker has started: no
/// task, no dispatch queue, nothing of libav's.
package struct ForkedWorker {
    private let data: CaseData
    private let most: Int
    private let verified: VerifiedContent?
    private let connect: (Title) throws -> any TitleServer
    private let real: (any RealPlaying)?

    /// Reads the data files of a suite.
    ///
    /// - Parameters:
    ///   - most: How many cores a worker may have in the end.
    ///   - verified: What was verified before; nil where nothing is kept.
    ///   - real: Begins, in the worker, what real players need; nil where there are none.
    ///   - connect: Makes what asks a title's server, in the worker.
    /// - Throws: ``HarnessError`` for what is wrong in them.
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
    /// - Parameters:
    ///   - cores: How many cores it may use now.
    /// - Returns: The process's number; in the process itself it does not return.
    /// - Throws: `Errno` when the system refuses.
    package func start(_ task: FileTask, cores: Int, files: WorkerFiles) throws -> Int32 {
        let process = sproc_fork()
        if process < 0 { throw Errno(rawValue: errno) }
        if process > 0 { return process }
        for (place, file) in [files.told, files.output, files.words].enumerated() { dup2(file, Int32(place)) }
        do {
            let granted = Cores(cores, most: most)
            if granted.most > cores { Self.listen(on: files.line, granted) }
            let progress = FileProgress(path: task.path)
            ProgressTeller.begin(progress, to: STDIN_FILENO)
            var output = OutcomeWriter(.standardOutput)
            var clock = CaseClock()
            let tell = { (outcome: CaseOutcome) in
                var outcome = outcome
                outcome.cost = clock.lap()
                try output.write(outcome)
                // Whoever waits for it sees it now, and has it even when a later case is this process's end.
                _ = try output.flush()
            }
            if let title = task.title {
                let server = try connect(title)
                let runner = TitleRunner(
                    task: task,
                    title: title,
                    data: data,
                    server: server,
                    bodies: try TitleBodies(),
                    verified: verified,
                    progress: progress,
                    cores: granted,
                    real: real
                )
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
            // What cannot be encoded came of the file; all else is the machine's.
            _exit(error is EncodingError ? WorkerEnding.failed : WorkerEnding.refused)
        }
    }

    /// Takes each byte that comes for one more core.
    private static func listen(on line: Int32, _ cores: Cores) {
        WorkThread.begin("cores") {
            var byte: UInt8 = 0
            while read(line, &byte, 1) == 1 { cores.grant() }
        }
    }
}
