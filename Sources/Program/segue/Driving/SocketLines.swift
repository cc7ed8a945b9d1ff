import Foundation
import Synchronization

/// What comes over a WebSocket, kept until somebody listens.
final class SocketLines: Sendable {
    /// How long a line may be, in bytes.
    static let longest = 1 << 20
    /// How many may come before anybody listens.
    private static let mostKept = 1024

    private struct State {
        var kept: [Data] = []
        var take: (@Sendable (Data?, String) -> Void)?
        /// Why nothing more comes; nil while something may.
        var ending: String?
    }

    private let state = Mutex(State())
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Hands on what has come and what comes; nil when nothing more will, with why in words.
    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) {
        // Handed on with the lock held, so that the order stays.
        state.withLock { state in
            for line in state.kept { take(line, "") }
            state.kept = []
            if let ending = state.ending { take(nil, ending) }
            state.take = take
        }
    }

    /// A message has come, with one line in it or several.
    func take(_ message: Data) {
        let isTooMuch = state.withLock { state in
            guard state.ending == nil else { return false }
            for line in message.split(separator: 0x0A) {
                if let take = state.take { take(Data(line), "") } else { state.kept.append(Data(line)) }
            }
            return state.kept.count > Self.mostKept
        }
        if isTooMuch { end("it says more than \(Self.mostKept) lines before anybody listens") }
    }

    /// Nothing more comes, for a reason in words; what is said first counts.
    func end(_ reason: String) {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.ending = reason
            state.take?(nil, reason)
            hasEnded.signal()
        }
    }

    /// Waits until nothing more comes.
    ///
    /// - Parameter patience: How long at the most.
    /// - Returns: Whether it has come to that.
    func wait(for patience: DispatchTimeInterval) -> Bool {
        defer { if state.withLock({ $0.ending != nil }) { hasEnded.signal() } }
        return hasEnded.wait(timeout: .now() + patience) == .success
    }
}
