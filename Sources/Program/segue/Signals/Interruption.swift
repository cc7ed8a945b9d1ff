import Glibc
import Synchronization

/// The received signal; 0 for none.
private let noted = Atomic<Int32>(0)

/// Records the first SIGINT (Control-C) or SIGTERM, so that work ends in an orderly way; the next one ends the program
/// at once.
///
/// Unlike ``TerminationSignals`` it needs no thread: a process that forks workers must have only one.
enum Interruption {
    /// Handles signals from now on.
    static func watch() {
        // A lazy global must be initialized before a signal handler uses it.
        _ = name
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                noted.store(number, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }

    /// The name of the received signal; nil for none.
    static var name: String? {
        switch noted.load(ordering: .relaxed) {
        case 0: nil
        case SIGINT: "SIGINT"
        default: "SIGTERM"
        }
    }
}
