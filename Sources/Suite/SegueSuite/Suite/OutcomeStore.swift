/// A store for outcomes of workers.
protocol OutcomeStore {
    /// Reads new outcomes of a running worker.
    ///
    /// - Throws: ``WorkerProcess/Failure`` for unexpected outcomes.
    mutating func look(at worker: WorkerProcess, of index: Int) throws

    /// Reads the remaining outcomes of a worker that ended.
    ///
    /// - Throws: ``WorkerProcess/Failure`` for a crash.
    mutating func take(from worker: WorkerProcess, of index: Int) throws

    /// Reads the outcomes of a worker that was stopped early.
    mutating func stop(_ worker: WorkerProcess, of index: Int) throws

    /// Fails all cases of a file, whatever outcomes were reported.
    mutating func fail(_ task: FileTask, of index: Int, _ failure: WorkerProcess.Failure) throws
}

/// Stores outcomes in an unlinked file, one file's cases at a time.
struct UnlinkedOutcomeStore: OutcomeStore {
    private(set) var outcomes: CaseOutcomes

    func look(at worker: WorkerProcess, of index: Int) {}

    mutating func take(from worker: WorkerProcess, of index: Int) throws {
        try outcomes.keep(of: index) { keeping in try worker.outcomes { try keeping.add($0, line: $1) } }
    }

    mutating func stop(_ worker: WorkerProcess, of index: Int) throws {
        try outcomes.keep(of: index) { keeping in try worker.news { try keeping.add($0, line: $1) } }
    }

    mutating func fail(_ task: FileTask, of index: Int, _ failure: WorkerProcess.Failure) throws {
        try outcomes.keep(of: index) { keeping in
            for outcome in task.cases.ended(failure.verdict, failure.finding) { try keeping.add(outcome) }
        }
    }
}
