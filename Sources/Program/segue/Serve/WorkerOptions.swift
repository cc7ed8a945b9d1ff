import ArgumentParser
import SegueBase
import SegueOrigin
import SeguePackager
import SegueServer
import SegueWorkers

/// How many processes open, decode and encode for a server, and what they may use.
struct WorkerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many processes open, decode and encode files; with 0 the server does so itself.",
            discussion: """
                A file that crashes libav, or has it hang or eat memory, costs one of them, and the request is tried \
                once more. With 0 it costs the server. Unless named, there are as many as there are cores and two \
                more, ten at the most, and those beyond the second are started when there is work for them.
                """
        )
    )
    var workers: Int?

    /// How many there are, and how many of them are started at once, where it is not said.
    private static var usual: (count: Int, ready: Int) { (min(10, MachineLimits.processors + 2), 2) }

    @Option(help: ArgumentHelp("How much memory one of them may take.", valueName: "size"))
    var workerMemory = ByteCount(2 << 30)

    @Option(help: ArgumentHelp("After how long without getting on one of them is ended.", valueName: "seconds"))
    var workerPatience: Int = 30

    @Option(help: ArgumentHelp("After how long one of them is ended whatever it does.", valueName: "seconds"))
    var workerTime: Int = 600

    @Flag(help: .hidden)
    var plantedFaults = false

    func validate() throws {
        guard (0...256).contains(workers ?? 0) else { throw ValidationError("--workers takes a number from 0 to 256") }
        guard workerMemory.bytes >= 64 << 20 else {
            throw ValidationError("--worker-memory must be 64M at the least")
        }
        guard (1...86400).contains(workerPatience), (1...86400).contains(workerTime) else {
            throw ValidationError("--worker-patience and --worker-time take seconds, from 1 to 86400")
        }
    }

    /// Starts the processes.
    ///
    /// - Parameters:
    ///   - keeper: Keeps what opening files shows.
    /// - Returns: The processes; nil where the server does their work itself.
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
