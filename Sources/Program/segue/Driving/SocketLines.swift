import Foundation
import Synchronization

/// The lines received over a WebSocket, buffered until a listener is set.
final class SocketLines: Sendable {
    /// The maximum length of a line in bytes.
    static let longest = 1 << 20
    /// The maximum number of buffered lines.
    private static let mostKept = 1024

    private struct State {
        var kept: [Data] = []
        var take: (@Sendable (Data?, String) -> Void)?
        /// The reason for the end; nil before it.
        var ending: String?
    }

    private let state = Mutex(State())
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Delivers the buffered and all further lines.
    ///
    /// At the end it delivers nil and the reason.
    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) {
        // Delivery under the lock preserves the order.
        state.withLock { state in
            for line in state.kept { take(line, "") }
            state.kept = []
            if let ending = state.ending { take(nil, ending) }
            state.take = take
        }
    }

    /// Handles a message with one or more lines.
    func take(_ message: Data) {
        let isTooMuch = state.withLock { state in
            guard state.ending == nil else { return false }
            for line in message.split(separator: 0x0A) {
                if let take = state.take { take(Data(line), "") } else { state.kept.append(Data(line)) }
            }
            return state.kept.count > Self.mostKept
        }
        if isTooMuch { end("it sent more than \(Self.mostKept) lines before the run began") }
    }

    /// Ends the delivery; the first reason counts.
    func end(_ reason: String) {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.ending = reason
            state.take?(nil, reason)
            hasEnded.signal()
        }
    }

    /// Waits for the end, and returns whether it came before the timeout.
    func wait(for patience: DispatchTimeInterval) -> Bool {
        defer { if state.withLock({ $0.ending != nil }) { hasEnded.signal() } }
        return hasEnded.wait(timeout: .now() + patience) == .success
    }
}
