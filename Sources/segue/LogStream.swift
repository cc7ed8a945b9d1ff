import Events
import Foundation
import Synchronization
import Timeline

/// A log that is written while things happen, from any thread.
final class LogStream: Sendable {
    private let file: Mutex<FileHandle>
    private let begun = ContinuousClock.now

    /// Begins a log in a new file.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    init(_ path: String) throws {
        let output = try OutputFile(path)
        guard let handle = FileHandle(forWritingAtPath: output.path) else {
            throw CommandFailure(path, "cannot be written")
        }
        try handle.truncate(atOffset: 0)
        file = Mutex(handle)
    }

    /// Adds an event that happens now.
    ///
    /// A disk that is full loses lines, but stops nobody's work.
    func write(_ kind: EventKind) {
        file.withLock { file in
            let event = Event(at: .zero + (ContinuousClock.now - begun), kind)
            try? file.write(contentsOf: Data((event.jsonLine + "\n").utf8))
        }
    }
}
