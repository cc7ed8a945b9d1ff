/// Tracks the progress of a suite and estimates its end.
struct SuiteProgressTracker {
    private(set) var done = 0

    private let tasks: [FileTask]
    private let begun = ContinuousClock.now
    private var forecast: Forecast
    private var last = ""
    private var failed = 0
    private var told: (at: Double, end: Double?) = (-1, nil)

    /// The lifetime of an estimate in seconds.
    private static let patience = 1.0

    /// `order` is the indices in the order of starting.
    ///
    /// `jobs` are the number of parallel files.
    init(_ tasks: [FileTask], order: [Int], jobs: Int) {
        self.tasks = tasks
        forecast = Forecast(tasks.map(WorkEstimate.forecast), order: order, jobs: jobs)
    }

    mutating func begin(_ index: Int) { forecast.begin(index, at: now) }

    /// Completes a file.
    ///
    /// `worker` is the worker; nil if none could be started. `failed` is the number of failed cases.
    mutating func end(_ index: Int, _ worker: WorkerProcess?, failed: Int) {
        if let worker { forecast.reach(worker.progress.place, of: index) }
        forecast.end(index, at: now)
        done += 1
        last = tasks[index].file
        self.failed += failed
    }

    /// The current progress.
    mutating func progress(_ running: [(index: Int, worker: WorkerProcess)]) -> SuiteRunner.Progress {
        let now = now
        let places = running.map { ($0.index, $0.worker.progress, $0.worker.failed) }
        if now - told.at >= Self.patience {
            for (index, progress, _) in places { forecast.reach(progress.place, of: index) }
            told = (now, forecast.secondsLeft(at: now).map { now + $0 })
        }
        return SuiteRunner.Progress(
            done: done,
            total: tasks.count,
            file: last,
            failed: failed + places.reduce(0) { $0 + $1.2 },
            running: places.map { (tasks[$0.0].file, $0.1.words) },
            secondsLeft: told.end.map { max(0, $0 - now) }
        )
    }

    /// Seconds since the start.
    private var now: Double { (ContinuousClock.now - begun) / .seconds(1) }
}
