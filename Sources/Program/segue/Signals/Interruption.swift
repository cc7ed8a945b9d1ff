import Glibc
import Synchronization

/// The signal that came; 0 for none.
private let noted = Atomic<Int32>(0)

/// Notes the first SIGINT (Control-C) or SIGTERM, so that work comes to an orderly end; the next one ends the program at
/// once.
///
/// Unlike ``EndingSignals`` it needs no thread, of which there may be but one where processes are started as copies.
enum Interruption {
    /// Notes signals from now on.
    static func watch() {
        // It is made when it is first asked for, which a handler of signals must not be the one to do.
        _ = name
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                noted.store(number, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }

    /// The name of the signal that came; nil where none has.
    static var name: String? {
        switch noted.load(ordering: .relaxed) {
        case 0: nil
        case SIGINT: "SIGINT"
        default: "SIGTERM"
        }
    }
}
