import Dispatch
import Glibc

/// Ends work in an orderly way at the first SIGINT (Control-C) or SIGTERM; the next one ends the program at once.
struct TerminationSignals {
    private let sources: [any DispatchSourceSignal]

    /// Handles signals from now on.
    ///
    /// `end` receives the signal's name on another thread.
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

    /// Restores the default handling.
    func stop() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
