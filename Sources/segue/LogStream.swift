import Events
import Foundation
import Glibc
import Synchronization
import Timeline

/// A log that is written while things happen, from any thread.
///
/// Where there is no room for a line, that is said once, and work goes on.
final class LogStream: Sendable {
    private struct State {
        var lines = LineWriter()
        var reason: String?
    }

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())
    private let begun = ContinuousClock.now

    /// Begins a log in a new file.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CommandFailure(path, String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    /// Adds an event that happens now.
    func write(_ kind: EventKind) {
        state.withLock { state in
            let event = Event(at: .zero + (ContinuousClock.now - begun), kind)
            let news = state.lines.add(event.jsonLine) { Self.write($0, to: descriptor, &state.reason) }
            switch news {
            case .losing: tell("\(state.reason ?? "cannot be written"); lines are lost until there is room")
            case .goesOn(let lost): tell("is written again, after \(Self.count(lost))")
            case nil: break
            }
        }
    }

    /// Ends the log, so that it is whole lines.
    ///
    /// - Throws: ``CommandFailure`` when lines are lost.
    func end() throws {
        try state.withLock { state in
            let half = state.lines.end { Self.write($0, to: descriptor, &state.reason) }
            // Only a regular file can take it back.
            if half > 0 { ftruncate(descriptor, max(0, lseek(descriptor, 0, SEEK_CUR) - off_t(half))) }
            guard state.lines.lost > 0 else { return }
            throw CommandFailure(path, "\(Self.count(state.lines.lost)): \(state.reason ?? "it cannot be written")")
        }
    }

    private func tell(_ words: String) { StandardError.write("segue: \(path): \(words)\n") }

    private static func count(_ lost: Int) -> String { lost == 1 ? "1 line is lost" : "\(lost) lines are lost" }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ reason: inout String?) -> Int {
        var written = 0
        while written < bytes.count {
            let count = bytes.dropFirst(written).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                reason = String(cString: strerror(errno))
                break
            }
            written += count
        }
        return written
    }
}
