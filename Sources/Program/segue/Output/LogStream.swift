import Foundation
import Glibc
import SegueBase
import SegueEvents
import SegueServer
import Synchronization

/// A log that is written as events happen, from any thread.
///
/// A full disk is reported once, and the work continues.
final class LogStream: Sendable {
    private struct State {
        var descriptor: Int32
        var lines = LineWriter()
        var reason: String?
    }

    private let path: String
    private let state: Mutex<State>
    private let begun = ContinuousClock.now

    /// Creates a new file.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String) throws {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw CommandFailure(path, String(cString: strerror(errno))) }
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { state.withLock { _ = close($0.descriptor) } }

    /// Continues in the file that now has the log's name, since the previous one may have been moved.
    ///
    /// If it cannot be opened, the previous file is used.
    func reopen() {
        state.withLock { state in
            let fresh = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
            guard fresh >= 0 else {
                return tell("cannot be reopened: \(String(cString: strerror(errno))); the previous file is still used")
            }
            // A line written in part is moved to the new file.
            let half = state.lines.end { Self.write($0, to: state.descriptor, &state.reason) }
            Self.takeBack(half, from: state.descriptor)
            close(state.descriptor)
            state.descriptor = fresh
        }
    }

    /// Adds an event with the current time.
    func write(_ kind: EventKind) {
        state.withLock { state in
            let event = Event(at: .zero + (ContinuousClock.now - begun), kind)
            let news = state.lines.add(event.jsonLine) { Self.write($0, to: state.descriptor, &state.reason) }
            switch news {
            case .losing: tell("\(state.reason ?? "cannot be written"); lines are lost until there is space")
            case .goesOn(let lost): tell("is written again after \(Self.count(lost))")
            case nil: break
            }
        }
    }

    /// Ends the log with a complete line.
    ///
    /// - Throws: ``CommandFailure`` if lines were lost.
    func end() throws {
        try state.withLock { state in
            let half = state.lines.end { Self.write($0, to: state.descriptor, &state.reason) }
            Self.takeBack(half, from: state.descriptor)
            guard state.lines.lost > 0 else { return }
            throw CommandFailure(path, "\(Self.count(state.lines.lost)): \(state.reason ?? "it cannot be written")")
        }
    }

    private func tell(_ words: String) { StandardError.write("segue: \(path): \(words)\n") }

    /// Removes an incomplete line from the end; only regular files support it.
    private static func takeBack(_ half: Int, from descriptor: Int32) {
        if half > 0 { ftruncate(descriptor, max(0, lseek(descriptor, 0, SEEK_CUR) - off_t(half))) }
    }

    private static func count(_ lost: Int) -> String { lost == 1 ? "1 line is lost" : "\(lost) lines are lost" }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ reason: inout String?) -> Int {
        let (written, failure) = LogFile.write(bytes, to: descriptor)
        if let failure { reason = failure }
        return written
    }
}
