internal import Synchronization

/// A queue that admits one run of virtual time at a time.
enum Turnstile {
    private struct Line {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let line = Mutex(Line())

    /// Waits for its turn.
    static func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = line.withLock { line in
                guard line.isTaken else {
                    line.isTaken = true
                    return true
                }
                line.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends its turn.
    static func leave() {
        let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
            guard !line.waiting.isEmpty else {
                line.isTaken = false
                return nil
            }
            return line.waiting.removeFirst()
        }
        next?.resume()
    }
}
