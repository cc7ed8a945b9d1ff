import Foundation
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A log of exchanges, written by a thread of its own: whoever adds to it never waits.
///
/// It goes into a new file when the one that it writes was moved away, and when it is told to.
package final class AccessLog: Sendable {
    /// Why there is no log.
    package struct Failure: Error, CustomStringConvertible {
        /// One line for a person.
        package var description: String
    }

    private struct State {
        var waiting: [UInt8] = []
        /// Lines for which there was no room among those that wait.
        var crowdedOut = 0
        var isReopened = false
        var isEnding = false
        /// Whether the thread is at lines that wait no more.
        var isWriting = false
        var hasEnded = false
        /// All lines that are lost.
        var lost = 0
    }

    /// What the thread does next.
    private struct Batch {
        var lines: [UInt8]
        var crowdedOut: Int
        var isReopened: Bool
        var isLast: Bool
    }

    /// How many bytes may wait: a disk that stands still for long costs lines, and no memory.
    private static let mostWaiting = 4 << 20

    private let path: String
    private let isPrivate: Bool
    private let tell: @Sendable (String) -> Void
    private let state = Monitor(State())

    /// Begins a log, at the end of the file where there is one.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isPrivate: Whether addresses are cut to those of their networks.
    ///   - tell: Told in one line when lines are lost, and when no more are.
    /// - Throws: ``Failure`` when the file cannot be written.
    package init(
        _ path: String,
        isPrivate: Bool = false,
        tell: @escaping @Sendable (String) -> Void
    ) throws(Failure) {
        (self.path, self.isPrivate, self.tell) = (path, isPrivate, tell)
        let file = LogFile(path)
        guard file.isOpen else { throw Failure(description: "\(path): \(file.reason)") }
        WorkThread.begin("access log") { [state, tell] in Self.keep(file, state, tell) }
    }

    /// How many lines are lost.
    package var lost: Int { state.withLock { $0.lost } }

    /// Has what comes go into a file of the same name that is opened anew.
    package func reopen() { state.withLock { $0.isReopened = true } }

    /// Ends the log, and returns when all that waits is written or lost.
    package func end() {
        state.withLock { $0.isEnding = true }
        state.wait(for: \.hasEnded)
    }

    /// Blocks until all that was added is written or lost; a test's way to know.
    func waitUntilWritten() { state.wait(for: { $0.waiting.isEmpty && !$0.isWriting }) }

    /// Adds an exchange that has ended now.
    func add(_ exchange: Exchange) {
        let began = Date().timeIntervalSince1970 - Double(exchange.duration.components.seconds)
        let line = AccessLine.text(exchange, at: Int64(began), isPrivate: isPrivate) + "\n"
        state.withLock { state in
            guard state.waiting.count + line.utf8.count <= Self.mostWaiting, !state.hasEnded else {
                state.crowdedOut += 1
                return
            }
            state.waiting += line.utf8
        }
    }

    /// Writes what comes, until the end.
    private static func keep(_ file: LogFile, _ state: Monitor<State>, _ tell: (String) -> Void) {
        var batches = LogBatches()
        while true {
            let batch: Batch = state.wait { state in
                guard !state.waiting.isEmpty || state.isReopened || state.isEnding else { return nil }
                defer { (state.waiting, state.crowdedOut, state.isReopened, state.isWriting) = ([], 0, false, true) }
                return Batch(
                    lines: state.waiting,
                    crowdedOut: state.crowdedOut,
                    isReopened: state.isReopened,
                    isLast: state.isEnding
                )
            }
            if batch.isReopened || file.isMoved {
                batches.forgetRest()
                file.reopen()
            }
            let news = [
                batches.lose(batch.crowdedOut),
                batch.lines.isEmpty ? nil : batches.add(batch.lines[...]) { file.write($0) },
            ]
            for news in news.compactMap({ $0 }) {
                switch news {
                case .losing: tell("\(file.path): \(file.reason); lines are lost until there is room")
                case .goesOn(let lost): tell("\(file.path): is written again, after \(lost) lost lines")
                }
            }
            state.withLock { [lost = batches.lost] state in
                (state.lost, state.hasEnded, state.isWriting) = (lost, batch.isLast, false)
            }
            if batch.isLast {
                if batches.lost > 0 { tell("\(file.path): \(batches.lost) lines are lost: \(file.reason)") }
                return
            }
        }
    }
}
