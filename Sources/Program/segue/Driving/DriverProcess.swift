import Foundation
import SegueSuite

/// A driver that runs as a local program.
final class DriverProcess: PlayerDriver {
    /// The time that it has to exit after `quit`.
    private static let patience = Duration.seconds(5)

    private let process: LineProcess

    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(_ command: String) throws { process = try LineProcess(["/bin/sh", "-c", "exec \(command)"]) }

    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) { process.listen(take) }

    func send(_ line: Data) { process.send(line) }

    func end() {
        process.send(Self.quitLine)
        process.end(within: Self.patience)
    }
}
