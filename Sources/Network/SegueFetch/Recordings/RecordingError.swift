/// Why a recording cannot be read or written.
package enum RecordingError: Error, Sendable, CustomStringConvertible {
    /// There is no such file or folder, or it cannot be read.
    case unreadable(path: String, reason: String)
    /// A line of it is none of a recording.
    case badLine(path: String, line: Int, reason: String)
    /// It is larger than is read.
    case tooLarge(path: String, bytes: Int)
    /// It tells of answers and has none of their bodies.
    case noBodies(path: String)
    /// It cannot be written.
    case unwritable(path: String, reason: String)

    /// What is wrong and what to do.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot be read as a recording: \(reason)"
        case .badLine(let path, let line, let reason): "\(path): line \(line) is none of a recording: \(reason)"
        case .tooLarge(let path, let bytes): "\(path): \(bytes) bytes are more than is read of a recording"
        case .noBodies(let path):
            "\(path): it has no bodies of answers; save it with content (in a browser, \"Save all as HAR with content\")"
        case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
        }
    }
}
