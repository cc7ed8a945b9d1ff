import Dispatch
import Glibc

/// Ends the program a while after SIGINT or SIGTERM, where it has not ended by then: a call into the system that never
/// returns, such as opening a file on a disk that does not answer, must not keep it.
struct EndingLimit {
    private let sources: [any DispatchSourceSignal]

    /// Waits for signals from now on; what else they do stays as it is.
    ///
    /// - Parameters:
    ///   - seconds: How long after the first signal.
    ///   - begin: Called when the first has come; must not block.
    ///   - cleanUp: Called before the program ends; must not block.
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
                    StandardError.write("segue: ended while something did not answer\n")
                    _exit(0)
                }
            }
            source.resume()
            return source
        }
    }

    /// Leaves the program be.
    func stop() { for source in sources { source.cancel() } }
}
