import ArgumentParser
import SegueBase
import SegueOrigin
import SeguePackager
import SegueServer
import SegueWorkers

/// The number of worker processes and their limits.
struct WorkerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The number of processes that open, decode, and encode files; with 0 the server does so itself.",
            discussion: """
                A file that makes libav crash, hang, or exhaust memory ends one of them, and the request is retried \
                once. With 0 it ends the server. The default is the number of cores plus two, at most ten; those \
                after the second start when there is work for them.
                """
        )
    )
    var workers: Int?

    /// The default number of workers, and of those that start at once.
    private static var usual: (count: Int, ready: Int) { (min(10, MachineLimits.processors + 2), 2) }

    @Option(help: ArgumentHelp("The maximum memory of a worker.", valueName: "size"))
    var workerMemory = ByteCount(2 << 30)

    @Option(help: ArgumentHelp("The time without progress after which a worker is killed.", valueName: "seconds"))
    var workerPatience: Int = 30

    @Option(help: ArgumentHelp("The maximum time of a request to a worker.", valueName: "seconds"))
    var workerTime: Int = 600

    @Flag(help: .hidden)
    var plantedFaults = false

    func validate() throws {
        guard (0...256).contains(workers ?? 0) else { throw ValidationError("--workers must be from 0 to 256") }
        guard workerMemory.bytes >= 64 << 20 else {
            throw ValidationError("--worker-memory must be at least 64M")
        }
        guard (1...86400).contains(workerPatience), (1...86400).contains(workerTime) else {
            throw ValidationError("--worker-patience and --worker-time must be from 1 to 86400 seconds")
        }
    }

    /// Starts the processes.
    ///
    /// `keeper` stores file indexes. Returns nil if the server works without processes.
    func start(reading folders: [String], keeper: (any IndexKeeping)?) -> WorkerProcesses? {
        guard workers != 0 else { return nil }
        var configuration = WorkerProcesses.Configuration(
            count: workers ?? Self.usual.count,
            reach: folders,
            arguments: ["worker"] + (plantedFaults ? ["--planted-faults"] : [])
        )
        configuration.ready = workers == nil ? Self.usual.ready : nil
        configuration.limits.memory = workerMemory.bytes
        configuration.limits.patience = .seconds(workerPatience)
        configuration.limits.time = .seconds(workerTime)
        return WorkerProcesses(configuration, keeper: keeper) { StandardError.write("segue: \($0)\n") }
    }
}
