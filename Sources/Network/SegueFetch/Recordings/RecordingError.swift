package enum RecordingError: Error, Sendable, CustomStringConvertible {
    /// The file or folder cannot be read.
    case unreadable(path: String, reason: String)
    /// A line is not part of a recording.
    case badLine(path: String, line: Int, reason: String)
    /// The file exceeds the size limit.
    case tooLarge(path: String, bytes: Int)
    /// The recording has no bodies.
    case noBodies(path: String)
    /// The recording cannot be written.
    case unwritable(path: String, reason: String)

    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot be read as a recording: \(reason)"
        case .badLine(let path, let line, let reason): "\(path): line \(line) is not part of a recording: \(reason)"
        case .tooLarge(let path, let bytes): "\(path): \(bytes) bytes exceed the size limit of a recording"
        case .noBodies(let path):
            "\(path): the recording has no response bodies; save it with content (in a browser, \"Save all as HAR with content\")"
        case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
        }
    }
}
