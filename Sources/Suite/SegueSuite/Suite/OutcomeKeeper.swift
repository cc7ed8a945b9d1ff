/// Keeps what came of cases as their workers tell it.
protocol OutcomeKeeper {
    /// Looks what a worker has told that goes on.
    ///
    /// - Throws: ``WorkerProcess/Failure`` where it answered what it was not asked.
    mutating func look(at worker: WorkerProcess, of index: Int) throws

    /// Takes what a worker has told that has ended.
    ///
    /// - Throws: ``WorkerProcess/Failure`` where it came to no good end.
    mutating func take(from worker: WorkerProcess, of index: Int) throws

    /// Takes what a worker has told that was ended before it was done.
    mutating func stop(_ worker: WorkerProcess, of index: Int) throws

    /// Has a file's cases come to nothing, whatever was told of them.
    mutating func fail(_ task: FileTask, of index: Int, _ failure: WorkerProcess.Failure) throws
}

/// Keeps outcomes in a file without a name, a whole file's cases at a time.
struct NamelessKeeper: OutcomeKeeper {
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
            for outcome in task.ended(failure.verdict, failure.finding) { try keeping.add(outcome) }
        }
    }
}
