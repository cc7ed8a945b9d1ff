internal import Foundation
internal import Glibc
internal import SegueBase
internal import SegueComparison
internal import SystemPackage

/// Works on one file in a process of its own, so that a crash, a hang, or a memory leak affects only that file.
final class WorkerProcess {
    /// Starts a process for a task with a number of cores and the files for its output, and returns its number.
    typealias Start = (FileTask, Int, WorkerFiles) throws -> Int32

    let task: FileTask
    /// The number of cores that it may use.
    private(set) var cores: Int

    private let files: WorkerFiles
    private let process: pid_t
    private var guardian: WorkerWatchdog
    private var lines: OutcomeLines
    /// The number of reported cases, and of failed ones.
    private(set) var told = 0
    private(set) var failed = 0
    /// The durations of the reported cases.
    private var times: [Double] = []
    private let decoder = JSONDecoder()

    /// - Throws: The failure to start the process.
    init(_ task: FileTask, cores: Int, start: Start) throws {
        (self.task, self.cores) = (task, cores)
        files = try WorkerFiles()
        do {
            process = try start(task, cores, files)
        } catch {
            files.leaveLine()
            files.close()
            throw error
        }
        files.leaveLine()
        lines = OutcomeLines(FileDescriptor(rawValue: files.output))
        guardian = WorkerWatchdog(process, limits: task.limits, told: files.told)
    }

    deinit { files.close() }

    /// Grants another core.
    func grant() {
        cores += 1
        // The worker may have ended, which needs no action.
        _ = send(files.ownLine, [1], 1, Int32(MSG_NOSIGNAL))
    }

    /// Waits until a worker has ended, at most until the next sample is due.
    ///
    /// `workers` are the running workers.
    static func ended(among workers: [WorkerProcess]) -> [Int] {
        var lines = workers.map { pollfd(fd: $0.files.ownLine, events: 0, revents: 0) }
        guard poll(&lines, nfds_t(lines.count), WorkerWatchdog.interval) > 0 else { return [] }
        return lines.indices.filter { lines[$0].revents != 0 }
    }

    /// Samples the worker, and kills it if it hangs.
    func look() { guardian.look() }

    /// Reads the outcomes since the last call.
    ///
    /// - Parameter keep: Receives an outcome and its line.
    /// - Throws: ``Failure`` for unexpected outcomes, or an error of `keep`.
    func news(_ keep: (CaseOutcome, Data) throws -> Void) throws {
        lines.extend()
        while let line = try lines.nextWhole() { try hand(line, to: keep) }
    }

    /// Reads the remaining outcomes of a worker that ended.
    ///
    /// Cases that the machine prevented are `broken`.
    ///
    /// - Parameter keep: Receives an outcome and its line.
    /// - Throws: ``Failure`` for a crash or unexpected outcomes, or an error of `keep`.
    func outcomes(_ keep: (CaseOutcome, Data) throws -> Void) throws {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let ending = WorkerEnding(status, words: files.words)
        if let finding = guardian.verdict ?? ending.crash { throw Failure(finding) }
        try news(keep)
        if let finding = ending.refusal {
            for outcome in task.cases.ended(.broken, finding).dropFirst(told) {
                try keep(outcome, try JSONEncoder().encode(outcome))
            }
            return
        }
        while let line = try lines.next() { try hand(line, to: keep) }
        guard told == task.cases.count else { throw Failure(.crash("the worker reported too few cases")) }
    }

    var progress: (words: String, place: Forecast.Place) {
        let said = guardian.place
        return (said?.words ?? "", Forecast.Place(cases: told, times: times, share: said?.share))
    }

    private func hand(_ line: Data, to keep: (CaseOutcome, Data) throws -> Void) throws {
        guard told < task.cases.count else { throw Failure(.crash("the worker reported too many cases")) }
        let outcome: CaseOutcome
        do {
            outcome = try decoder.decode(CaseOutcome.self, from: line)
        } catch {
            throw Failure(.crash("the worker's output cannot be read: \(quoting: "\(error)")"))
        }
        guard outcome.result.name == task.cases[told] else {
            throw Failure(.crash("the worker reported cases that it was not given"))
        }
        told += 1
        if outcome.result.verdict == .fail { failed += 1 }
        if let cost = outcome.cost { times.append(cost.wallSeconds) }
        try keep(outcome, line)
    }

    /// The reason why the outcomes of a file are invalid.
    struct Failure: Error {
        /// The finding for all cases.
        let finding: Finding
        /// The verdict for all cases.
        let verdict: Verdict

        init(_ finding: Finding, _ verdict: Verdict = .fail) { (self.finding, self.verdict) = (finding, verdict) }
    }

    func end() {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

}

extension Finding {
    /// The finding for a crash of a worker.
    static func crash(_ message: Message) -> Finding { Finding(.crash, message) }
}

extension [CaseName] {
    /// Returns the outcomes of cases with one verdict for one reason.
    func ended(_ verdict: Verdict, _ finding: Finding) -> some Sequence<CaseOutcome> {
        lazy.map { CaseOutcome(CaseResult(name: $0, verdict: verdict, findings: [finding])) }
    }
}
