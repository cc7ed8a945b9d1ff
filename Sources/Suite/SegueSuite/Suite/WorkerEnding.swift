internal import Foundation
internal import Glibc
internal import SegueBase

/// The ending of a worker process: the fault of the file, or of the machine.
struct WorkerEnding {
    /// The exit code of a worker that could not continue, for example because of a full disk or a missing data file.
    static let refused: Int32 = 2
    /// The exit code of a worker whose outcome cannot be encoded.
    static let failed: Int32 = 3

    /// Signals that a process does not raise itself.
    ///
    /// They come from outside, such as SIGKILL from a system out of memory, or a limit set by the environment.
    private static let foreign = [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU]

    /// The failure of the file's cases.
    private(set) var crash: Finding?
    /// The reason why the remaining cases could not be run.
    private(set) var refusal: Finding?

    /// - Parameters:
    ///   - status: The status of wait(2): the signal in the low seven bits, the exit code in the eight above.
    ///   - words: The file with its standard error.
    init(_ status: Int32, words: Int32) {
        guard status != 0 else { return }
        let said = String(decoding: WorkerFiles.contents(of: words), as: UTF8.self)
        let lastWords: Message =
            said.split(whereSeparator: \.isNewline).last.map { ": \(quoting: String($0.prefix(300)))" } ?? ""
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        let name = signal == 0 ? "" : String(cString: strsignal(signal))
        switch (signal, code) {
        case (SIGKILL, _):
            refusal = Finding(
                .notRun,
                "the worker was killed from outside (\(name)), for example by a system out of memory"
            )
        case _ where Self.foreign.contains(signal):
            refusal = Finding(.notRun, "the worker was killed from outside (\(name))\(lastWords)")
        case (0, Self.refused): refusal = Finding(.notRun, "the worker could not continue\(lastWords)")
        case (0, _): crash = .crash("the worker exited with \(code)\(lastWords)")
        default: crash = .crash("the worker crashed with \(name)\(lastWords)")
        }
    }
}
