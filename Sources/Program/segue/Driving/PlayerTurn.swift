import Foundation
import Glibc

/// The use of a player that can play one thing at a time, among all runs of this machine: a lock on a file, which goes with
/// the process that holds it.
final class PlayerTurn: Sendable {
    /// How long between two looks whether it is free: who waits is told, and who waits has to be seen to live.
    private static let pause: UInt32 = 500_000
    /// How long others may have it: longer than any script of one case.
    private static let patience = Duration.seconds(3600)

    private let file: Int32

    /// Waits for the player.
    ///
    /// - Parameters:
    ///   - waiting: Called now and then while others have it.
    /// - Throws: ``CommandFailure`` where there can be no lock.
    init(_ address: DriverAddress, waiting: () -> Void) throws {
        let path = NSTemporaryDirectory() + "/segue-\(getuid())-\(address.name).lock"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw CommandFailure(path, "open: \(String(cString: strerror(errno)))") }
        let deadline = ContinuousClock.now + Self.patience
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            // Where it throws, the file is closed by `deinit`.
            guard code == EWOULDBLOCK || code == EINTR else {
                throw CommandFailure(path, "flock: \(String(cString: strerror(code)))")
            }
            guard ContinuousClock.now < deadline else {
                throw CommandFailure("\(address)", "another run has had the player for an hour (\(path))")
            }
            waiting()
            usleep(Self.pause)
        }
    }

    /// Lets others have it.
    func end() { flock(file, LOCK_UN) }

    deinit { close(file) }
}
