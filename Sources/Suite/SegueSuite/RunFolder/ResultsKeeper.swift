/// Records each case's result in a run's folder when it has ended.
struct ResultsKeeper: OutcomeKeeper {
    /// Where results go.
    let results: RunResults
    /// All cases that each of the run's files has in it, those that are done already among them.
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

    /// A file that its worker came to no good end with fails as a whole, as it does where nothing was recorded before.
    func fail(_ task: FileTask, of index: Int, _ failure: WorkerProcess.Failure) throws {
        let cases = failure.verdict == .fail ? whole[index] : task
        for outcome in cases.ended(failure.verdict, failure.finding) { try results.add(outcome) }
        try results.flush()
    }
}
