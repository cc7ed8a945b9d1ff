import Dispatch
import Glibc

/// Has something done on each SIGHUP, which would end the program otherwise.
struct ReopeningSignal {
    private let source: any DispatchSourceSignal

    /// Waits for signals from now on.
    init(_ action: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler(handler: action)
        source.resume()
    }

    /// Leaves the signal to the system again.
    func stop() {
        source.cancel()
        signal(SIGHUP, SIG_DFL)
    }
}
