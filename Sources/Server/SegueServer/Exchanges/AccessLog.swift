import Foundation
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// An access log that a thread of its own writes, so that callers never block.
///
/// It opens a new file after the current one is moved, and on request.
package final class AccessLog: Sendable {
    /// A log file that cannot be written.
    package struct Failure: Error, CustomStringConvertible {
        /// One line for people.
        package var description: String
    }

    private struct State {
        var waiting: [UInt8] = []
        /// The number of lines dropped because the queue was full.
        var crowdedOut = 0
        var isReopened = false
        var isEnding = false
        /// True while the thread writes lines that left the queue.
        var isWriting = false
        var hasEnded = false
        /// The number of lost lines.
        var lost = 0
    }

    private struct Batch {
        var lines: [UInt8]
        var crowdedOut: Int
        var isReopened: Bool
        var isLast: Bool
    }

    /// The maximum size of the queue in bytes: a disk that hangs costs lines, not memory.
    private static let waitingLimit = 4 << 20

    private let path: String
    private let isPrivate: Bool
    private let tell: @Sendable (String) -> Void
    private let state = Monitor(State())

    /// Opens a log at the end of its file.
    ///
    /// - Parameters:
    ///   - isPrivate: True to truncate addresses to their networks.
    ///   - tell: Receives one line when lines begin to be lost, and when that ends.
    /// - Throws: ``Failure`` if the file cannot be written.
    package init(
        _ path: String,
        isPrivate: Bool = false,
        tell: @escaping @Sendable (String) -> Void
    ) throws(Failure) {
        (self.path, self.isPrivate, self.tell) = (path, isPrivate, tell)
        let file = LogFile(path)
        guard file.isOpen else { throw Failure(description: "\(path): \(file.reason)") }
        WorkThread.begin("access log") { [state, tell] in Self.keep(file, state, tell: tell) }
    }

    /// The number of lost lines.
    package var lost: Int { state.withLock { $0.lost } }

    /// Opens the file of the same name again before the next line.
    package func reopen() { state.withLock { $0.isReopened = true } }

    /// Ends the log after the queue is written or lost.
    package func end() {
        state.withLock { $0.isEnding = true }
        state.wait(for: \.hasEnded)
    }

    /// Blocks until the queue is written or lost; for tests.
    func waitUntilWritten() { state.wait(for: { $0.waiting.isEmpty && !$0.isWriting }) }

    /// Adds an exchange that just ended.
    func add(_ exchange: Exchange) {
        let began = Date().timeIntervalSince1970 - Double(exchange.duration.components.seconds)
        let line = AccessLine.text(exchange, at: Int64(began), isPrivate: isPrivate) + "\n"
        state.withLock { state in
            guard state.waiting.count + line.utf8.count <= Self.waitingLimit, !state.hasEnded else {
                state.crowdedOut += 1
                return
            }
            state.waiting += line.utf8
        }
    }

    /// Writes lines until the end of the log.
    private static func keep(_ file: LogFile, _ state: Monitor<State>, tell: (String) -> Void) {
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
                case .losing: tell("\(file.path): \(file.reason); lines are lost until it can be written")
                case .goesOn(let lost): tell("\(file.path): is written again; \(lost) lines were lost")
                }
            }
            state.withLock { [lost = batches.lost] state in
                (state.lost, state.hasEnded, state.isWriting) = (lost, batch.isLast, false)
            }
            if batch.isLast {
                if batches.lost > 0 { tell("\(file.path): \(batches.lost) lines were lost: \(file.reason)") }
                return
            }
        }
    }
}
