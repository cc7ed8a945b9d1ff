internal import Foundation
internal import Glibc
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Runs one file's cases in a process of its own, so that a file that crashes, hangs or eats memory fails alone.
package struct FileWorker: Sendable {
    /// The program that does the work: it reads a ``FileTask`` as JSON on standard input and writes the
    /// ``CaseOutcome``s as JSON on standard output.
    package let program: String

    /// The program's arguments.
    package let arguments: [String]

    /// A worker that starts a program.
    package init(program: String, arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the cases of a file.
    ///
    /// - Returns: A result for each case, in their order; cases of a worker that did not come to its end fail with the
    ///   finding `crash`, `hang` or `memory`.
    package func run(_ task: FileTask) async -> [CaseOutcome] {
        do {
            return try await results(of: task)
        } catch let error as WorkerFailure {
            return failed(task, error.finding)
        } catch {
            return failed(task, Finding(.crash, "the worker could not be run: \(error)"))
        }
    }

    private func failed(_ task: FileTask, _ finding: Finding) -> [CaseOutcome] {
        task.cases.map { CaseOutcome(CaseResult(name: $0, verdict: .fail, findings: [finding])) }
    }

    private func results(of task: FileTask) async throws -> [CaseOutcome] {
        let guardian = Guardian(limits: task.limits)
        let input = try FileWorker.namelessFile(try JSONEncoder().encode(task))
        defer { try? input.close() }
        let result = try await withThrowingTaskGroup(of: Outcome?.self) { group in
            group.addTask {
                try await guardian.watch()
                return nil
            }
            group.addTask {
                let ended = try await Subprocess.run(
                    .path(FilePath(program)),
                    arguments: .init(arguments),
                    input: .fileDescriptor(input, closeAfterSpawningProcess: false),
                    output: .bytes(limit: 64 << 20),
                    error: .string(limit: 1 << 20)
                ) { execution in guardian.begin(execution.processIdentifier.value) }
                return Outcome(
                    status: ended.terminationStatus,
                    output: ended.standardOutput,
                    words: ended.standardError
                )
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
        if let finding = guardian.verdict { throw WorkerFailure(finding: finding) }
        let lastWords = result.words.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(300))" } ?? ""
        switch result.status {
        case .exited(0): break
        case .exited(let code):
            throw WorkerFailure(finding: Finding(.crash, "the worker ended with \(code)\(lastWords)"))
        case .signaled(let signal):
            let name = String(cString: strsignal(signal))
            throw WorkerFailure(finding: Finding(.crash, "the worker died of \(name)\(lastWords)"))
        }
        let outcomes = try JSONDecoder().decode([CaseOutcome].self, from: Data(result.output))
        guard outcomes.map(\.result.name) == task.cases else {
            throw WorkerFailure(finding: Finding(.crash, "the worker answered other cases than asked"))
        }
        return outcomes
    }

    /// A file without a name that holds some bytes, to be read from its beginning.
    ///
    /// A pipe would not do: whoever writes into it fails when the worker ends before it has read.
    private static func namelessFile(_ bytes: Data) throws -> FileDescriptor {
        var path = Array("\(NSTemporaryDirectory())segue-task-XXXXXX".utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        unlink(path)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let file = FileDescriptor(rawValue: number)
        do {
            try file.writeAll(bytes)
            try file.seek(offset: 0, from: .start)
        } catch {
            try? file.close()
            throw error
        }
        return file
    }
}

private struct Outcome: Sendable {
    let status: TerminationStatus
    let output: [UInt8]
    let words: String
}

private struct WorkerFailure: Error {
    let finding: Finding
}

/// Watches one process and ends it when it takes more than it may.
private final class Guardian: Sendable {
    private struct State {
        var process: pid_t?
        var finding: Finding?
    }

    private let limits: FileLimits
    private let state = Mutex(State())

    init(limits: FileLimits) { self.limits = limits }

    /// Why the process was ended; nil when it was not.
    var verdict: Finding? { state.withLock(\.finding) }

    func begin(_ process: pid_t) { state.withLock { $0.process = process } }

    /// Looks at the process until cancelled.
    ///
    /// Memory has no event to wait for, so it is looked at ten times a second.
    func watch() async throws {
        let clock = ContinuousClock()
        var (used, lastProgress) = (0.0, clock.now)
        while true {
            try await Task.sleep(for: .milliseconds(100))
            guard let process = state.withLock(\.process) else { continue }
            let seconds = Guardian.processorSeconds(of: process)
            // What wakes up now and then to find nothing to do makes no progress.
            if seconds > used + max(0.1, (clock.now - lastProgress) / .seconds(100)) {
                (used, lastProgress) = (seconds, clock.now)
            }
            if seconds > limits.seconds {
                end(process, Finding(.hang, "not done after \(Int(limits.seconds)) s of work"))
            } else if clock.now - lastProgress > .seconds(limits.seconds) {
                end(process, Finding(.hang, "has not moved for \(Int(limits.seconds)) s"))
            } else if Guardian.residentBytes(of: process) > limits.memory {
                end(process, Finding(.memory, "took more than \(limits.memory >> 20) MiB of memory"))
            }
        }
    }

    private func end(_ process: pid_t, _ finding: Finding) {
        state.withLock { if $0.finding == nil { $0.finding = finding } }
        kill(process, SIGKILL)
    }

    /// The processor time of all threads, in seconds (proc(5): the 14th and 15th field of `stat`).
    private static func processorSeconds(of process: pid_t) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // The second field, the name in parentheses, may hold spaces.
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else { return 0 }
        return Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func residentBytes(of process: pid_t) -> Int64 {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .ascii) else { return 0 }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
