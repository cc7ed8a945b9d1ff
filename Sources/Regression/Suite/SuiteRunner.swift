/// Runs many files' cases, a few files at a time, each in a process of its own.
///
/// Those that are expected to take longest come first, and when there are fewer files left than cores, their workers
/// get what is free: so all cores are busy to the end, whatever the files are called.
package struct SuiteRunner {
    /// How far a suite has come.
    package struct Progress: Sendable {
        /// Files that are done.
        package let done: Int
        /// Files in all.
        package let total: Int
        /// The file that was done last.
        package let file: String
    }

    private let jobs: Int
    private let start: WorkerProcess.Start

    /// A runner.
    ///
    /// - Parameters:
    ///   - jobs: How many files at a time, and how many cores in all; at least 1.
    ///   - start: Starts the process of a file's cases, which may use so many cores and speaks through those files; it
    ///     gives the process's number.
    package init(jobs: Int, start: @escaping (FileTask, Int, WorkerFiles) throws -> Int32) {
        self.jobs = max(1, jobs)
        self.start = start
    }

    /// Runs all tasks.
    ///
    /// - Parameters:
    ///   - tasks: The files.
    ///   - progress: Called after each file.
    /// - Returns: The outcomes in the order of the tasks, whatever order they ended in; cases of a worker that did not
    ///   come to its end fail with the finding `crash`, `hang` or `memory`.
    /// - Throws: ``NamelessFile/Failure`` or `Errno` where the outcomes cannot be kept; no worker is left then.
    package func run(_ tasks: [FileTask], progress: (Progress) -> Void) throws -> CaseOutcomes {
        var outcomes = try CaseOutcomes(files: tasks.count)
        var waiting = WorkEstimate.longestFirst(tasks)[...]
        var running: [(index: Int, worker: WorkerProcess)] = []
        defer { for (_, worker) in running { worker.end() } }
        var done = 0
        func end(_ index: Int, _ tell: (inout CaseOutcomes.Keeping) throws -> Void) throws {
            do {
                try outcomes.keep(of: index, tell)
            } catch let failure as WorkerProcess.Failure {
                try outcomes.keep(of: index) { keeping in
                    for outcome in tasks[index].failed(failure.finding) { try keeping.add(outcome) }
                }
            }
            done += 1
            progress(Progress(done: done, total: tasks.count, file: tasks[index].file))
        }
        while done < tasks.count {
            while running.count < jobs, let index = waiting.popFirst() {
                do {
                    let left = running.count + 1 + waiting.count
                    let cores = max(1, jobs / max(left, 1))
                    running.append((index, try WorkerProcess(tasks[index], cores: cores, start: start)))
                } catch {
                    let failure = WorkerProcess.Failure(.crash("the worker could not be run: \(error)"))
                    try end(index) { _ in throw failure }
                }
            }
            if waiting.isEmpty { share(among: running.map(\.worker)) }
            for place in WorkerProcess.ended(among: running.map(\.worker)).reversed() {
                let (index, worker) = running.remove(at: place)
                try end(index) { try worker.outcomes(to: &$0) }
            }
            for (_, worker) in running { worker.look() }
        }
        return outcomes
    }

    /// Gives the cores that nobody has to those who have least.
    private func share(among workers: [WorkerProcess]) {
        var free = jobs - workers.reduce(0) { $0 + $1.cores }
        while free > 0, let worker = workers.min(by: { $0.cores < $1.cores }) {
            worker.grant()
            free -= 1
        }
    }
}
