internal import SegueBase
internal import SegueComparison

/// Runs the cases of many files, several files in parallel, each in a process of its own.
///
/// The files that are expected to take longest come first. When fewer files than cores remain, their workers get the
/// free cores, so that all cores are busy until the end.
package struct SuiteRunner {
    /// The progress of a suite.
    package struct Progress: Sendable {
        package let done: Int
        package let total: Int
        /// The last completed file; empty before the first.
        package let file: String
        /// The number of failed cases.
        package var failed = 0
        /// The running files with their current work.
        package var running: [(file: String, words: String)] = []
        /// The estimated remaining time in seconds; nil if too little is known.
        package var secondsLeft: Double?

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

    /// - Parameters:
    ///   - jobs: The number of parallel files, which is also the number of cores; at least 1.
    ///   - isInterrupted: True to stop early; called several times a second.
    ///   - start: Starts the process for a file's cases, with a number of cores and the files for its output, and
    ///     returns its number.
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
    /// `progress` is called after each file, and several times a second. Returns the outcomes in the order of the
    /// tasks. Cases of a worker that crashed or was killed fail with `crash`, `hang`, or `memory`; those that the
    /// machine could not run are `broken`. After an interruption only completed cases are included.
    ///
    /// - Throws: ``NamelessFile/Failure`` or `Errno` if the outcomes cannot be stored; all workers are stopped then.
    package func run(_ tasks: [FileTask], progress: (Progress) -> Void) throws -> CaseOutcomes {
        var keeper = UnlinkedOutcomeStore(outcomes: try CaseOutcomes(files: tasks.count))
        try run(tasks, keeper: &keeper, progress: progress)
        return keeper.outcomes
    }

    /// Runs the remaining tasks and records each result in a run folder.
    ///
    /// `tasks` are all files of the suite. `progress` is called after each file, and several times a second.
    ///
    /// - Throws: ``RunFolderError`` if a result cannot be recorded; all workers are stopped then.
    package func run(_ tasks: [FileTask], in folder: RunFolder, progress: (Progress) -> Void) throws {
        let left = folder.left(of: tasks)
        var keeper = RunFolderOutcomeStore(results: folder.results, whole: left.whole)
        try run(left.tasks, keeper: &keeper, progress: progress)
    }

    private func run(_ tasks: [FileTask], keeper: inout some OutcomeStore, progress: (Progress) -> Void) throws {
        var waiting = WorkEstimate.longestFirst(tasks)[...]
        var teller = SuiteProgressTracker(tasks, order: Array(waiting), jobs: jobs)
        var running: [(index: Int, worker: WorkerProcess)] = []
        defer { for (_, worker) in running { worker.end() } }
        func end(_ index: Int, by worker: WorkerProcess?, take: () throws -> Void) throws {
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
                    let finding = Finding(.notRun, "the worker could not be started: \(quoting: "\(error)")")
                    try end(index, by: nil) { throw WorkerProcess.Failure(finding, .broken) }
                }
            }
            if waiting.isEmpty { share(among: running.map(\.worker)) }
            for place in WorkerProcess.ended(among: running.map(\.worker)).reversed() {
                let (index, worker) = running.remove(at: place)
                try end(index, by: worker) { try keeper.take(from: worker, of: index) }
            }
            for place in running.indices.reversed() {
                let (index, worker) = running[place]
                worker.look()
                do {
                    try keeper.look(at: worker, of: index)
                } catch let failure as WorkerProcess.Failure {
                    running.remove(at: place)
                    worker.end()
                    try end(index, by: worker) { throw failure }
                }
            }
            progress(teller.progress(running))
        }
        while let (index, worker) = running.popLast() {
            worker.end()
            // Unexpected outcomes of a stopped worker are ignored.
            do { try keeper.stop(worker, of: index) } catch is WorkerProcess.Failure {}
        }
    }

    /// Gives free cores to the workers with the fewest.
    private func share(among workers: [WorkerProcess]) {
        var free = jobs - workers.reduce(0) { $0 + $1.cores }
        while free > 0, let worker = workers.min(by: { $0.cores < $1.cores }) {
            worker.grant()
            free -= 1
        }
    }
}
