import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// The program of a worker: it applies the sandbox, reports that it is ready, and answers questions until its socket
/// breaks.
package enum WorkerProgram {
    /// The nice value relative to the server.
    private static let niceness: Int32 = 5

    /// Runs until the socket breaks; never returns.
    ///
    /// Call it while the process has a single thread.
    ///
    /// - Parameters:
    ///   - reach: The folders and files that it may read.
    ///   - memory: The maximum memory in bytes.
    ///   - newestLandlock: The newest version of Landlock to use.
    ///   - plantsFaults: True to let certain file names cause crashes, hangs, and memory exhaustion, for tests.
    package static func run(reach: [String], memory: Int64, newestLandlock: Int32, plantsFaults: Bool) -> Never {
        // Sending existing data has priority over encoding.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        let folders = reach.compactMap { FileNames.canonical(Array($0.utf8)) }.map(GuardedFolder.init)
        let missing = Confinement(reach: reach, memory: memory, newestLandlock: newestLandlock).begin()
        let line = ServerLine(STDIN_FILENO)
        do {
            line.send(.ready, question: 0, Array(try JSONEncoder().encode(Greeting(missing: missing))))
        } catch {
            exit(1)
        }
        WorkThread.begin("line") { line.listen() }
        WorkThread.begin("alive") { line.tellOfLife() }
        let answering = WorkerLoop(line, faults: plantsFaults ? PlantedFaults() : nil)
        return withExtendedLifetime(folders) { while true { answering.answerNext() } }
    }
}
