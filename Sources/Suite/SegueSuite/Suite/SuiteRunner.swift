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
        /// The file that was done last; empty before any is.
        package let file: String
        /// Cases that failed so far.
        package var failed = 0
        /// What is being worked on, and what of it.
        package var running: [(file: String, words: String)] = []
        /// How many seconds the rest will take; nil where too little is known yet.
        package var secondsLeft: Double?

        /// How far it has come.
        package init(
            done: Int,
            total: Int,
            file: String,
            failed: Int = 0,
            running: [(file: String, words: String)] = [],
            secondsLeft: Double? = nil
        ) {
            (self.done, self.total, self.file, self.failed) = (done, total, file, failed)
            (self.running, self.secondsLeft) = (running, secondsLeft)
        }
    }

    private let jobs: Int
    private let isInterrupted: () -> Bool
    private let start: WorkerProcess.Start

    /// A runner.
    ///
    /// - Parameters:
    ///   - jobs: How many files at a time, and how many cores in all; at least 1.
    ///   - isInterrupted: Whether to come to an end before all is done; asked several times a second.
    ///   - start: Starts the process of a file's cases, which may use so many cores and speaks through those files; it
    ///     gives the process's number.
    package init(
        jobs: Int,
        isInterrupted: @escaping () -> Bool = { false },
        start: @escaping (FileTask, Int, WorkerFiles) throws -> Int32
    ) {
        self.jobs = max(1, jobs)
        self.isInterrupted = isInterrupted
        self.start = start
    }

    /// Runs all tasks.
    ///
    /// - Parameters:
    ///   - progress: Called after each file, and several times a second.
    /// - Returns: The outcomes in the order of the tasks, whatever order they ended in; cases of a worker that did not
    ///   come to its end fail with the finding `crash`, `hang` or `memory`, and those that the machine could not run
    ///   are
    ///   `broken`. After an interruption there are those of the cases that had ended.
    /// - Throws: ``NamelessFile/Failure`` or `Errno` where the outcomes cannot be kept; no worker is left then.
    package func run(_ tasks: [FileTask], progress: (Progress) -> Void) throws -> CaseOutcomes {
        var keeper = NamelessKeeper(outcomes: try CaseOutcomes(files: tasks.count))
        try run(tasks, keeper: &keeper, progress: progress)
        return keeper.outcomes
    }

    /// Runs what is left of tasks, and records the result of each case in a run's folder when it has ended.
    ///
    /// - Parameters:
    ///   - tasks: All files of the suite.
    ///   - progress: Called after each file, and several times a second.
    /// - Throws: ``RunFolderError`` where a result cannot be recorded; no worker is left then.
    package func run(_ tasks: [FileTask], in folder: RunFolder, progress: (Progress) -> Void) throws {
        let left = folder.left(of: tasks)
        var keeper = ResultsKeeper(results: folder.results, whole: left.whole)
        try run(left.tasks, keeper: &keeper, progress: progress)
    }

    private func run(_ tasks: [FileTask], keeper: inout some OutcomeKeeper, progress: (Progress) -> Void) throws {
        var waiting = WorkEstimate.longestFirst(tasks)[...]
        var teller = SuiteTeller(tasks, order: Array(waiting), jobs: jobs)
        var running: [(index: Int, worker: WorkerProcess)] = []
        defer { for (_, worker) in running { worker.end() } }
        func end(_ index: Int, _ worker: WorkerProcess?, _ take: () throws -> Void) throws {
            var failed: Int?
            do {
                try take()
            } catch let failure as WorkerProcess.Failure {
                try keeper.fail(tasks[index], of: index, failure)
                failed = failure.verdict == .fail ? tasks[index].cases.count : 0
            }
            teller.end(index, worker, failed: failed ?? worker?.failed ?? 0)
            progress(teller.progress(running))
        }
        while teller.done < tasks.count, !isInterrupted() {
            while running.count < jobs, let index = waiting.popFirst() {
                do {
                    let left = running.count + 1 + waiting.count
                    let cores = max(1, jobs / max(left, 1))
                    running.append((index, try WorkerProcess(tasks[index], cores: cores, start: start)))
                    teller.begin(index)
                } catch {
                    let finding = Finding(.notRun, "the worker could not be started: \(error)")
                    try end(index, nil) { throw WorkerProcess.Failure(finding, .broken) }
                }
            }
            if waiting.isEmpty { share(among: running.map(\.worker)) }
            for place in WorkerProcess.ended(among: running.map(\.worker)).reversed() {
                let (index, worker) = running.remove(at: place)
                try end(index, worker) { try keeper.take(from: worker, of: index) }
            }
            for place in running.indices.reversed() {
                let (index, worker) = running[place]
                worker.look()
                do {
                    try keeper.look(at: worker, of: index)
                } catch let failure as WorkerProcess.Failure {
                    running.remove(at: place)
                    worker.end()
                    try end(index, worker) { throw failure }
                }
            }
            progress(teller.progress(running))
        }
        while let (index, worker) = running.popLast() {
            worker.end()
            // What it answered wrongly is nothing that was done.
            do { try keeper.stop(worker, of: index) } catch is WorkerProcess.Failure {}
        }
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
