import Dispatch
import SegueConcurrency
import SegueFFmpeg

/// A starter of missing workers, on a thread that lives as long as they do.
struct WorkerStarting {
    let force: Monitor<Workforce<Worker>>
    let news: DispatchSemaphore
    let configuration: WorkerProcesses.Configuration
    /// The folders and files that they may read.
    let reach: @Sendable () -> [String]
    let notice: @Sendable (String) -> Void

    /// The time in which a worker has to be ready.
    static let startLimit = Duration.seconds(20)

    /// The loop of the thread.
    func run() {
        var isFirst = true
        while true {
            let now = ContinuousClock.now
            let (count, isStopped) = force.withLock { force in (force.toStart(now: now), force.isStopped) }
            if isStopped { break }
            // They become ready in parallel.
            let reach = reach()
            let arguments = configuration.arguments(reaching: reach)
            let started = (0..<count).map { _ in Result { try StartedProcess(configuration.program, arguments) } }
            for process in started { greet(process, reach, tellsWhatIsMissing: isFirst) }
            if count > 0 { isFirst = false }
            let next: DispatchTime = force.withLock { force in
                if force.waiting > 0 { return .now() + .milliseconds(200) }
                guard force.nextStart != nil else { return .now() + .seconds(60) }
                return .now() + .milliseconds(100)
            }
            _ = news.wait(timeout: next)
            // Waiting callers may have a deadline, which does not wake them.
            force.withLock { _ in }
        }
    }

    private func greet(
        _ process: Result<StartedProcess, any Error>,
        _ reach: [String],
        tellsWhatIsMissing: Bool
    ) {
        do {
            let worker = Worker(try process.get(), reach: reach)
            let greeting = try worker.greeting(within: Self.startLimit)
            force.withLock { $0.begin(worker) }
            guard tellsWhatIsMissing else { return }
            for missing in greeting.missing { notice("worker: \(missing)") }
        } catch {
            let why = (error as? WorkerFailure)?.words ?? "\(error)"
            let pause = force.withLock { $0.fail(now: .now) }
            notice("worker: \(why) before it was ready; the next start is in \(pause)")
        }
    }
}
