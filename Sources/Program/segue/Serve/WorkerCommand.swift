import ArgumentParser
import SegueWorkers

/// A worker process of a server, which works on files and may crash.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Works on files for a server, which starts this process.",
        shouldDisplay: false
    )

    @Option var reach: [String] = []
    @Option var memory: Int64
    @Option var newestLandlock = Int32.max
    @Flag var plantedFaults = false

    func run() throws {
        WorkerProgram.run(
            reach: reach,
            memory: memory,
            newestLandlock: newestLandlock,
            plantsFaults: plantedFaults
        )
    }
}
