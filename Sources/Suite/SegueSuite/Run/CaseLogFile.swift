internal import Foundation
internal import SegueBase
internal import SegueCharts
internal import SegueEvents

/// Where the event log of a case goes: a folder for each file, and in it a file for each case.
struct CaseLogFile {
    private let path: String

    init(_ name: CaseName, in folder: String) {
        let parts = [name.scenario, name.platform, name.app, name.network, "\(name.seed)"]
        // A title's name may hold anything, and leads nowhere else.
        let places = name.file.split(separator: "/").filter { $0 != "." && $0 != ".." }
        path = ([folder] + places.map(String.init) + [parts.joined(separator: ".") + ".jsonl"]).joined(separator: "/")
    }

    /// The timeline of the log, with the findings of its case; nil for a log that is missing or unreadable.
    func story(_ findings: [Finding]) -> RunStory? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return (try? EventLog(jsonLines: String(decoding: data, as: UTF8.self))).map {
            RunStory(log: $0, findings: findings)
        }
    }

    /// Writes the log's lines.
    ///
    /// - Throws: The system's error when it cannot be written.
    func write(_ lines: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(lines.utf8).write(to: url)
    }
}
