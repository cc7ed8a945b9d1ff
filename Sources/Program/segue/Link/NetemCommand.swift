import Glibc
import Subprocess
import Synchronization

/// The process of a command in a namespace, with a signal that arrived before its start.
final class NetemCommand: Sendable {
    private let state = Mutex<(process: pid_t?, signal: Int32?)>((nil, nil))
    private let kill: @Sendable (pid_t, Int32) -> Void

    /// `kill` sends a signal to a process.
    init(kill: @escaping @Sendable (pid_t, Int32) -> Void = { _ = Glibc.kill($0, $1) }) { self.kill = kill }

    /// Starts forwarding signals, beginning with an earlier one.
    func begin(_ process: pid_t) {
        state.withLock {
            $0.process = process
            if let signal = $0.signal { kill(process, signal) }
        }
    }

    /// Forwards a signal.
    func send(_ signal: Int32) {
        state.withLock {
            guard let process = $0.process else { return $0.signal = signal }
            kill(process, signal)
        }
    }

    /// The exit code by the convention of shells: 128 plus the number of a signal.
    static func exitCode(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
