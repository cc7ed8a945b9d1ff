import Foundation
import SegueConcurrency
import SegueFFmpeg

/// What a worker's process does: it gives up what it does not need, says that it is ready, and answers questions until
/// its line breaks.
package enum WorkerProgram {
    /// By how much it stands back behind the server, as `nice` counts.
    private static let niceness: Int32 = 5

    /// Runs until the line breaks; never returns.
    ///
    /// It has to be called on the only thread that there is.
    ///
    /// - Parameters:
    ///   - reach: The folders and files that it may read.
    ///   - memory: How much memory it may have, in bytes.
    ///   - plantsFaults: Whether files with certain names have it crash, hang and eat memory, for tests.
    package static func run(reach: [String], memory: Int64, plantsFaults: Bool) -> Never {
        // What is at hand is sent first; an encoder takes what is left of the processors.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        let missing = Confinement(reach: reach, memory: memory).begin()
        let line = ServerLine(STDIN_FILENO)
        do {
            line.send(.ready, question: 0, Array(try JSONEncoder().encode(Greeting(missing: missing))))
        } catch {
            exit(1)
        }
        WorkThread.begin("line") { line.listen() }
        WorkThread.begin("alive") { line.tellOfLife() }
        let answering = Answering(line, faults: plantsFaults ? PlantedFaults() : nil)
        while true { answering.answerNext() }
    }
}
