internal import Foundation
internal import Glibc

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

    /// What came of the cases, in their order, once it has ended; those of a process that did not come to its end fail
    /// with the finding `crash`, `hang` or `memory`.
    func outcomes() -> [CaseOutcome] {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if let finding = guardian.verdict ?? Self.finding(status, words: files.words) { return task.failed(finding) }
        do {
            let outcomes = try JSONDecoder().decode([CaseOutcome].self, from: WorkerFiles.contents(of: files.output))
            if outcomes.map(\.result.name) == task.cases { return outcomes }
        } catch {
            return task.failed(.crash("the worker's answer cannot be read: \(error)"))
        }
        return task.failed(.crash("the worker answered other cases than asked"))
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
    func failed(_ finding: Finding) -> [CaseOutcome] {
        cases.map { CaseOutcome(CaseResult(name: $0, verdict: .fail, findings: [finding])) }
    }
}
