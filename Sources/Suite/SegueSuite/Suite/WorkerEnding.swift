internal import Foundation
internal import Glibc

/// How a worker's process ended: whether the file that it worked on is to blame, or the machine.
struct WorkerEnding {
    /// What a worker that could not go on exits with: a full disk, a file of data that is not there any more.
    static let refused: Int32 = 2
    /// What a worker exits with whose outcome is none.
    static let failed: Int32 = 3

    /// Signals that nothing in a process raises: somebody else has sent them, as a system that is out of memory sends
    /// SIGKILL, or a limit that was set from outside has.
    private static let foreign = [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU]

    /// The file's cases fail for it.
    private(set) var crash: Finding?
    /// The cases that had not ended could not be run.
    private(set) var refusal: Finding?

    /// How a process ended.
    ///
    /// - Parameters:
    ///   - status: What wait(2) says: the signal in the low seven bits, the code in the eight above.
    ///   - words: The file with its last words.
    init(_ status: Int32, words: Int32) {
        guard status != 0 else { return }
        let said = String(decoding: WorkerFiles.contents(of: words), as: UTF8.self)
        let lastWords = said.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(300))" } ?? ""
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        let name = signal == 0 ? "" : String(cString: strsignal(signal))
        switch (signal, code) {
        case (SIGKILL, _):
            refusal = Finding(.notRun, "the worker was ended from outside (\(name)), as a machine out of memory does")
        case _ where Self.foreign.contains(signal):
            refusal = Finding(.notRun, "the worker was ended from outside (\(name))\(lastWords)")
        case (0, Self.refused): refusal = Finding(.notRun, "the worker could not go on\(lastWords)")
        case (0, _): crash = .crash("the worker ended with \(code)\(lastWords)")
        default: crash = .crash("the worker died of \(name)\(lastWords)")
        }
    }
}
