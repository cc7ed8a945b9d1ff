internal import Foundation
internal import Glibc
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Runs one file's cases in a process of its own, so that a file that crashes, hangs or eats memory fails alone.
package struct FileWorker: Sendable {
    /// The program that does the work: it reads a ``FileTask`` as JSON on standard input and writes the
    /// ``CaseOutcome``s as JSON on standard output.
    ///
    /// Its standard input is a file that it may write to as well: each line that it adds says what it has come to, and
    /// has it be given more time.
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
        let input = try FileWorker.namelessFile(try JSONEncoder().encode(task))
        defer { try? input.close() }
        let guardian = WorkerGuard(limits: task.limits, told: input)
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
