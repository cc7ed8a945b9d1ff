import Foundation
import SegueEvents
import Synchronization

@testable import SegueSuite

/// A driver in this process that answers each command at once with lines from the test.
final class FakeDriver: PlayerDriver, Sendable {
    /// A received command.
    struct Command: Decodable, Equatable {
        struct Item: Decodable, Equatable {
            var item: String
            var url: String
        }

        var id: Int
        var `do`: String
        var items: [Item]?
        var to: Double?
        var rate: Double?
    }

    private struct State {
        var sent: [Command] = []
        var take: @Sendable (Data?, String) -> Void = { _, _ in }
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let first: [String]
    private let last: [String]
    private let answer: @Sendable (Command) -> [String]

    /// The received commands.
    var sent: [Command] { state.withLock(\.sent) }
    /// Whether the driver was ended.
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    static let hello =
        #"{"driver":1,"player":"fake 1","clock":0,"can":["open","play","pause","seek","rate"],"tells":[]}"#

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - first: The initial lines; an empty one ends the driver.
    ///   - answer: The lines that precede the answer to a command; `refuse` instead of the answer.
    ///   - last: The lines at its end, which include the response to `quit`.
    init(
        first: [String] = [hello],
        answer: @escaping @Sendable (Command) -> [String] = { _ in [] },
        last: [String] = [#"{"id":0}"#]
    ) {
        (self.first, self.answer, self.last) = (first, answer, last)
    }

    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) {
        state.withLock { $0.take = take }
        write(first)
    }

    func send(_ line: Data) {
        guard let command = try? JSONDecoder().decode(Command.self, from: line) else { return }
        state.withLock { $0.sent.append(command) }
        let lines = answer(command)
        if lines.first == "refuse" {
            write([#"{"id":\#(command.id),"cannot":"it is stuck"}"#])
        } else {
            write([#"{"id":\#(command.id)}"#] + lines)
        }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        write(last)
    }

    private func write(_ lines: [String]) {
        let take = state.withLock(\.take)
        for line in lines { line.isEmpty ? take(nil, "it fell over") : take(Data(line.utf8), "") }
    }
}
