import Dispatch
import Glibc

/// Performs an action on each SIGHUP, which would otherwise end the program.
struct HangupSignal {
    private let source: any DispatchSourceSignal

    /// Handles the signal from now on.
    ///
    /// `action` is called on another thread.
    init(_ action: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler(handler: action)
        source.resume()
    }

    /// Restores the default handling.
    func stop() {
        source.cancel()
        signal(SIGHUP, SIG_DFL)
    }
}
