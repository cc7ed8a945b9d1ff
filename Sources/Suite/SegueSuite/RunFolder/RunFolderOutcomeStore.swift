internal import SegueComparison

/// Records each case's result in a run folder as soon as it has ended.
struct RunFolderOutcomeStore: OutcomeStore {
    let results: RunResults
    /// All cases of the run, grouped by file, including those that are already done.
    let whole: [FileTask]

    func look(at worker: WorkerProcess, of index: Int) throws {
        try worker.news { outcome, _ in try results.add(outcome) }
        try results.flush()
    }

    func take(from worker: WorkerProcess, of index: Int) throws {
        try worker.outcomes { outcome, _ in try results.add(outcome) }
        try results.flush()
    }

    func stop(_ worker: WorkerProcess, of index: Int) throws { try look(at: worker, of: index) }

    /// The crash of a worker fails the whole file, as in a run without recorded results.
    func fail(_ task: FileTask, of index: Int, _ failure: WorkerProcess.Failure) throws {
        let cases = (failure.verdict == .fail ? whole[index] : task).cases
        for outcome in cases.ended(failure.verdict, failure.finding) { try results.add(outcome) }
        try results.flush()
    }
}
