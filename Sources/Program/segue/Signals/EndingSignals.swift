import Dispatch
import Glibc

/// Has the first SIGINT (Control-C) or SIGTERM end work in an orderly way; the next one ends the program at once.
struct EndingSignals {
    private let sources: [any DispatchSourceSignal]

    /// Waits for signals from now on.
    ///
    /// - Parameter end: Gets the signal's name, on another thread.
    init(_ end: @escaping @Sendable (String) -> Void) {
        let signals = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")]
        sources = signals.map { number, name in
            signal(number) { _ in }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                for (number, _) in signals { signal(number, SIG_DFL) }
                end(name)
            }
            source.resume()
            return source
        }
    }

    /// Leaves signals to the system again.
    func stop() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
