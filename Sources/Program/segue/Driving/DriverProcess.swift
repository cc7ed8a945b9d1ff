import Foundation
import SegueSuite

/// A driver that is a program of this machine.
final class DriverProcess: PlayerDriver {
    /// How long it has to end by itself.
    private static let patience = Duration.seconds(5)
    private static let quit = Data("{\"do\":\"quit\",\"id\":0}\n".utf8)

    private let process: LineProcess

    /// Starts it.
    ///
    /// - Throws: ``CommandFailure`` where the system refuses.
    init(_ command: String) throws { process = try LineProcess(["/bin/sh", "-c", "exec \(command)"]) }

    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) { process.listen(take) }

    func send(_ line: Data) { process.send(line) }

    func end() {
        process.send(Self.quit)
        process.end(within: Self.patience)
    }
}
