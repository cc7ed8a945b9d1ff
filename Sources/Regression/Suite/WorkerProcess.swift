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
    /// - Returns: Their places.
    static func ended(among workers: [WorkerProcess]) -> [Int] {
        var lines = workers.map { pollfd(fd: $0.files.ownLine, events: 0, revents: 0) }
        guard poll(&lines, nfds_t(lines.count), WorkerGuard.interval) > 0 else { return [] }
        return lines.indices.filter { lines[$0].revents != 0 }
    }

    /// Looks whether it gets on, and ends it where it does not.
    func look() { guardian.look() }

    /// Hands over what came of the cases, once it has ended.
    ///
    /// - Parameter keeping: Where to.
    /// - Throws: ``Failure`` for a process that did not come to its end, or answered what it was not asked, or `Errno`
    ///   where the outcomes cannot be kept.
    func outcomes(to keeping: inout CaseOutcomes.Keeping) throws {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if let finding = guardian.verdict ?? Self.finding(status, words: files.words) { throw Failure(finding) }
        let decoder = JSONDecoder()
        var lines = OutcomeLines(FileDescriptor(rawValue: files.output))
        for name in task.cases {
            guard let line = try lines.next() else { throw Failure(.crash("the worker answered too few cases")) }
            let outcome: CaseOutcome
            do {
                outcome = try decoder.decode(CaseOutcome.self, from: line)
            } catch {
                throw Failure(.crash("the worker's answer cannot be read: \(error)"))
            }
            guard outcome.result.name == name else { throw Failure(.crash("the worker answered other cases")) }
            try keeping.add(outcome, line: line)
        }
        guard try lines.next() == nil else { throw Failure(.crash("the worker answered too many cases")) }
    }

    /// Why there are no outcomes.
    struct Failure: Error {
        /// What all cases fail for.
        let finding: Finding

        init(_ finding: Finding) { self.finding = finding }
    }

    /// Ends it.
    func end() {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// What is wrong with how it ended (wait(2): the signal in the low seven bits, the code in the eight above).
    private static func finding(_ status: Int32, words: Int32) -> Finding? {
        guard status != 0 else { return nil }
        let said = String(decoding: WorkerFiles.contents(of: words), as: UTF8.self)
        let lastWords = said.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(300))" } ?? ""
        let signal = status & 0x7F
        guard signal == 0 else { return .crash("the worker died of \(String(cString: strsignal(signal)))\(lastWords)") }
        return .crash("the worker ended with \(status >> 8 & 0xFF)\(lastWords)")
    }
}

extension Finding {
    /// The worker of a file came to no good end.
    static func crash(_ message: String) -> Finding { Finding(.crash, message) }
}

extension FileTask {
    /// The cases, all of which fail for one reason.
    func failed(_ finding: Finding) -> some Sequence<CaseOutcome> {
        cases.lazy.map { CaseOutcome(CaseResult(name: $0, verdict: .fail, findings: [finding])) }
    }
}
