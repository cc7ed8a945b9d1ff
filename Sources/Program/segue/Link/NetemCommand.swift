import Glibc
import Subprocess
import Synchronization

/// The process of a command that runs in a namespace, once there is one, and a signal that came before.
final class NetemCommand: Sendable {
    private let state = Mutex<(process: pid_t?, signal: Int32?)>((nil, nil))
    private let kill: @Sendable (pid_t, Int32) -> Void

    /// A command that has not begun.
    ///
    /// - Parameter kill: Sends a process a signal.
    init(kill: @escaping @Sendable (pid_t, Int32) -> Void = { _ = Glibc.kill($0, $1) }) { self.kill = kill }

    /// Its process runs; it gets the signal that came before.
    func begin(_ process: pid_t) {
        state.withLock {
            $0.process = process
            if let signal = $0.signal { kill(process, signal) }
        }
    }

    /// A signal came for it.
    func send(_ signal: Int32) {
        state.withLock {
            guard let process = $0.process else { return $0.signal = signal }
            kill(process, signal)
        }
    }

    /// The exit code for how it ended, as shells have it: a signal's is 128 and its number.
    static func exitCode(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
