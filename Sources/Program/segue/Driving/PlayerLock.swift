import Foundation
import Glibc

/// The exclusive use of a player among all runs of this machine, by a file lock that ends with the process.
final class PlayerLock: Sendable {
    /// The interval between attempts, after each of which the waiting run reports that it is alive.
    private static let pause: UInt32 = 500_000
    /// The time limit for waiting: longer than any scenario.
    private static let patience = Duration.seconds(3600)

    private let file: Int32

    /// Waits for the player.
    ///
    /// `waiting` is called repeatedly while another run uses it.
    ///
    /// - Throws: ``CommandFailure`` if the lock fails or times out.
    init(_ address: DriverAddress, waiting: () -> Void) throws {
        let path = NSTemporaryDirectory() + "/segue-\(getuid())-\(address.name).lock"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw CommandFailure(path, "open: \(String(cString: strerror(errno)))") }
        let deadline = ContinuousClock.now + Self.patience
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            // `deinit` closes the file after an error.
            guard code == EWOULDBLOCK || code == EINTR else {
                throw CommandFailure(path, "flock: \(String(cString: strerror(code)))")
            }
            guard ContinuousClock.now < deadline else {
                throw CommandFailure(
                    "\(address)",
                    "timed out after 60 min waiting for another run that uses the player (lock file \(path))"
                )
            }
            waiting()
            usleep(Self.pause)
        }
    }

    /// Releases the player.
    func end() { flock(file, LOCK_UN) }

    deinit { close(file) }
}
