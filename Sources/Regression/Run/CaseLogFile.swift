internal import Events
internal import Foundation
internal import Timeline

/// Where the event log of a case goes: a folder for each file, and in it a file for each case.
struct CaseLogFile {
    private let path: String

    init(_ name: CaseName, in folder: String) {
        let parts = [name.scenario, name.platform, name.app, name.network, "\(name.seed)"]
        path = "\(folder)/\(name.file)/\(parts.joined(separator: ".")).jsonl"
    }

    /// Writes the log.
    ///
    /// - Throws: The system's error when it cannot be written.
    func write(_ log: EventLog) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(log.jsonLines.utf8).write(to: url)
    }
}
