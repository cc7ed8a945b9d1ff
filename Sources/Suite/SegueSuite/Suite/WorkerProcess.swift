internal import Foundation
internal import Glibc
internal import SystemPackage

/// Works on one file in a process of its own, so that one that crashes, hangs or eats memory fails alone.
final class WorkerProcess {
    /// Starts a process.
    ///
    /// Its arguments are the file's cases, how many cores it may use now, and what to speak through; it gives the
    /// process's number.
    typealias Start = (FileTask, Int, WorkerFiles) throws -> Int32

    /// The cases.
    let task: FileTask
    /// How many cores it may use.
    private(set) var cores: Int

    private let files: WorkerFiles
    private let process: pid_t
    private var guardian: WorkerGuard
    private var lines: OutcomeLines
    /// How many cases it has told of, and how many of them failed.
    private(set) var told = 0
    private(set) var failed = 0
    /// How long they took.
    private var times: [Double] = []
    private let decoder = JSONDecoder()

    /// Starts.
    ///
    /// - Throws: What keeps the process from being started.
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
        guardian = WorkerGuard(process, limits: task.limits, told: files.told)
    }

    deinit { files.close() }

    /// Lets it use one core more.
    func grant() {
        cores += 1
        // It may have ended; then nobody needs to know.
        _ = send(files.ownLine, [1], 1, Int32(MSG_NOSIGNAL))
    }

    /// Waits until any of some has ended, or for as long as nobody needs to look at them.
    ///
    /// - Parameter workers: Those that may have ended.
    static func ended(among workers: [WorkerProcess]) -> [Int] {
        var lines = workers.map { pollfd(fd: $0.files.ownLine, events: 0, revents: 0) }
        guard poll(&lines, nfds_t(lines.count), WorkerGuard.interval) > 0 else { return [] }
        return lines.indices.filter { lines[$0].revents != 0 }
    }

    /// Looks whether it gets on, and ends it where it does not.
    func look() { guardian.look() }

    /// Hands over what came of the cases that ended since the last time.
    ///
    /// - Parameter keep: Takes an outcome, and the line that it was told in.
    /// - Throws: ``Failure`` where it answered what it was not asked, or what `keep` throws.
    func news(_ keep: (CaseOutcome, Data) throws -> Void) throws {
        lines.extend()
        while let line = try lines.nextWhole() { try hand(line, to: keep) }
    }

    /// Hands over what came of the other cases, once it has ended.
    ///
    /// What it had no time for because the machine did not let it is `broken`.
    ///
    /// - Parameter keep: Takes an outcome, and the line that it was told in.
    /// - Throws: ``Failure`` for a process that did not come to its end, or answered what it was not asked, or what
    ///   `keep` throws.
    func outcomes(_ keep: (CaseOutcome, Data) throws -> Void) throws {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let ending = WorkerEnding(status, words: files.words)
        if let finding = guardian.verdict ?? ending.crash { throw Failure(finding) }
        try news(keep)
        if let finding = ending.refusal {
            for outcome in task.ended(.broken, finding).dropFirst(told) {
                try keep(outcome, try JSONEncoder().encode(outcome))
            }
            return
        }
        while let line = try lines.next() { try hand(line, to: keep) }
        guard told == task.cases.count else { throw Failure(.crash("the worker answered too few cases")) }
    }

    /// How far it has come, in words and for a forecast.
    var progress: (words: String, place: Forecast.Place) {
        let said = guardian.place
        return (said?.words ?? "", Forecast.Place(cases: told, times: times, share: said?.share))
    }

    private func hand(_ line: Data, to keep: (CaseOutcome, Data) throws -> Void) throws {
        guard told < task.cases.count else { throw Failure(.crash("the worker answered too many cases")) }
        let outcome: CaseOutcome
        do {
            outcome = try decoder.decode(CaseOutcome.self, from: line)
        } catch {
            throw Failure(.crash("the worker's answer cannot be read: \(error)"))
        }
        guard outcome.result.name == task.cases[told] else {
            throw Failure(.crash("the worker answered other cases"))
        }
        told += 1
        if outcome.result.verdict == .fail { failed += 1 }
        if let cost = outcome.cost { times.append(cost.wallSeconds) }
        try keep(outcome, line)
    }

    /// Why the outcomes of a file are none.
    struct Failure: Error {
        /// What all cases come to nothing for.
        let finding: Finding
        /// What becomes of them.
        let verdict: Verdict

        init(_ finding: Finding, _ verdict: Verdict = .fail) { (self.finding, self.verdict) = (finding, verdict) }
    }

    /// Ends it.
    func end() {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

}

extension Finding {
    /// The worker of a file came to no good end.
    static func crash(_ message: String) -> Finding { Finding(.crash, message) }
}

extension FileTask {
    /// The cases, all of which come to nothing for one reason.
    func ended(_ verdict: Verdict, _ finding: Finding) -> some Sequence<CaseOutcome> {
        cases.lazy.map { CaseOutcome(CaseResult(name: $0, verdict: verdict, findings: [finding])) }
    }
}
