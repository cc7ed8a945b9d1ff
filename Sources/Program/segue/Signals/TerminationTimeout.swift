import Dispatch
import Glibc

/// Ends the program some time after SIGINT or SIGTERM if it has not ended.
///
/// A system call that never returns, such as opening a file on a dead disk, must not block the end.
struct TerminationTimeout {
    private let sources: [any DispatchSourceSignal]

    /// Handles signals from now on, in addition to other handlers.
    ///
    /// `seconds` is the time after the first signal. `begin` is called at the first signal, and `cleanUp` before the
    /// program ends; both must not block.
    init(
        seconds: Double,
        begin: @escaping @Sendable () -> Void = {},
        cleanUp: @escaping @Sendable () -> Void
    ) {
        let queue = DispatchQueue(label: "ending")
        sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                begin()
                queue.asyncAfter(deadline: .now() + seconds) {
                    cleanUp()
                    StandardError.write("segue: ended although a system call did not return\n")
                    _exit(0)
                }
            }
            source.resume()
            return source
        }
    }

    func stop() { for source in sources { source.cancel() } }
}
